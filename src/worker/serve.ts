/** The worker's end of the wire: every command gets one reply, whatever happens. */
import type { Command, FromWorker } from '../protocol';
import type { Problem } from '../records/types';
import { openStore, ProblemError, errorDetail } from '../store';
import type { Store } from '../store';
import { Host } from './host';
import type { HostCommand, HostOptions } from './host';

/** The part of a worker's global scope, or of a MessagePort, that is needed. */
export interface Wire {
  postMessage(message: FromWorker): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

export interface ServeOptions extends Partial<
  Pick<HostOptions, 'loadSample' | 'locks' | 'onSessions' | 'openRunner' | 'samplesUrl'>
> {
  openStore?: (onBlocked: (problem: Problem | undefined) => void) => Promise<Store>;
}

/** Listens on `wire` and says `ready`. Returns the host. */
export function serve(wire: Wire, options: ServeOptions = {}): Host {
  const post = (message: FromWorker) => wire.postMessage(message);
  const tellDatabase = (problem: Problem | undefined) =>
    post({ type: 'database', ...(problem ? { problem } : {}) });
  const open = options.openStore ?? ((onBlocked) => openStore({ onBlocked }));
  const store = open(tellDatabase);
  store.then(
    ({ problem }) => problem && tellDatabase(problem),
    (error: unknown) => tellDatabase(problemFrom(error)),
  );
  const host = new Host({
    store,
    post,
    onFailure: (error) => post({ type: 'failure', problem: problemFrom(error) }),
    loadSample: options.loadSample ?? noSample,
    locks: options.locks,
    openRunner: options.openRunner,
    samplesUrl: options.samplesUrl,
    ...(options.onSessions ? { onSessions: options.onSessions } : {}),
  });
  const working: Answering['working'] = new Map();
  wire.addEventListener('message', (event) => {
    if (!isCommand(event.data)) return;
    const command = event.data;
    if (command.type !== 'cancel') return void answer(host, command, { post, working });
    working.get(command.command)?.abort();
    post({ type: 'reply', id: command.id });
  });
  post({ type: 'ready' });
  return host;
}

interface Answering {
  post: (message: FromWorker) => void;
  /** What ends the work of a command, by its id. */
  working: Map<number, AbortController>;
}

async function answer(host: Host, command: HostCommand, { post, working }: Answering): Promise<void> {
  const { id } = command;
  const work = new AbortController();
  working.set(id, work);
  let value: unknown;
  try {
    value = await host.handle(command, work.signal);
  } catch (error) {
    post({ type: 'reply', id, problem: problemFrom(error) });
    return;
  } finally {
    working.delete(id);
  }
  try {
    post({ type: 'reply', id, ...(value === undefined ? {} : { value }) });
  } catch (error) {
    // A value that cannot be cloned is a fault of ours, and must not leave the page waiting.
    post({ type: 'reply', id, problem: problemFrom(error) });
  }
}

function isCommand(data: unknown): data is Command {
  return (
    typeof data === 'object' && data !== null && 'type' in data && 'id' in data && typeof data.id === 'number'
  );
}

/** What people are told of anything that was thrown; `internal {detail}` of what nobody foresaw. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  // A scenario names all its problems: the first is where to begin.
  const first =
    error instanceof Error && 'problems' in error && Array.isArray(error.problems)
      ? (error.problems[0] as unknown)
      : error;
  if (isProblem(first)) return { code: first.code, params: { ...first.params } };
  return { code: 'internal', params: { detail: errorDetail(error) } };
}

function isProblem(value: unknown): value is Problem {
  if (typeof value !== 'object' || value === null || !('code' in value)) return false;
  return typeof value.code === 'string' && value.code.includes('.');
}

function noSample(path: string): Promise<never> {
  return Promise.reject(new Error(`There is no sample ${path} here`));
}
