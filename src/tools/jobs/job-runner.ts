import type { VirtualFileSystem } from '../file-system';
import { utf8Length } from '../encoding';
import { displayPath } from '../paths';
import { errorMessage, JobStopped } from './job';
import type { FileUpdate, Job, JobContext, JobHost, JobOutcome, JobResult, ShellState } from './job';
import { Turns } from './turns';
import type { Turn } from './turns';

/** What tools run jobs with. `runner` of `createTools` is one. */
export interface ToolRunner {
  /**
   * Runs a job on the files as they are when its turn comes, and writes what it changed to `files`. Rejects with `JobStopped` at
   * a limit or on abort; nothing is written then.
   */
  run<J extends Job>(job: J, files: VirtualFileSystem, context: JobContext): Promise<FinishedJob<J>>;
}

export interface FinishedJob<J extends Job = Job> {
  result: JobResult<J>;
  /** What happened to the files that the model would not expect, in sentences. */
  notes: string[];
}

export interface JobRunnerOptions {
  /** The session's files. What `run` gets may be views of them. */
  files: VirtualFileSystem;
  /** A new place for jobs, made when it is needed: at first, and after one was closed. */
  openHost: () => JobHost | Promise<JobHost>;
  /** ms since the epoch, for sessions whose clock is not real. */
  now?: () => number;
}

interface OpenHost {
  host: JobHost;
  /** Paths of which it does not know what is there now. */
  stale: Set<string>;
}

/** Runs the jobs of a session: one at a time, those that a job calls in between, each in a host that has the files already. */
export class JobRunner implements ToolRunner {
  private readonly turns = new Turns();
  private readonly open = new Set<OpenHost>();
  private readonly idle: OpenHost[] = [];
  private readonly unsubscribe: () => void;
  private shell: ShellState = { folders: [], modes: {} };

  constructor(private readonly options: JobRunnerOptions) {
    this.unsubscribe = options.files.onChange(({ path }) => {
      for (const { stale } of this.open) stale.add(path);
    });
  }

  async run<J extends Job>(job: J, files: VirtualFileSystem, context: JobContext): Promise<FinishedJob<J>> {
    try {
      const turn = await this.turns.take(context.signal);
      try {
        return (await this.runNow(job, files, context, turn)) as FinishedJob<J>;
      } finally {
        turn.release();
      }
    } catch (error) {
      throw context.signal?.aborted ? new JobStopped('aborted') : error;
    }
  }

  /** Closes all hosts, whatever runs in them. The runner is of no use afterwards. */
  dispose(): void {
    this.unsubscribe();
    for (const { host } of this.open) host.close();
    this.open.clear();
  }

  private async runNow(
    job: Job,
    files: VirtualFileSystem,
    context: JobContext,
    turn: Turn,
  ): Promise<FinishedJob> {
    const place = this.idle.pop() ?? (await this.openHost());
    const { callTool } = context;
    try {
      const updates = this.updatesFor(place);
      const outcome = await place.host.run(
        { job, updates, shell: this.shell, ...(this.options.now && { now: this.options.now() }) },
        { ...context, ...(callTool && { callTool: (name, args) => turn.lend(() => callTool(name, args)) }) },
      );
      context.signal?.throwIfAborted();
      const notes = await this.take(outcome, files, place);
      this.idle.push(place);
      return { result: outcome.result, notes };
    } catch (error) {
      // Its copy of the files has what the job changed, or is gone.
      this.open.delete(place);
      place.host.close();
      throw error;
    }
  }

  private async openHost(): Promise<OpenHost> {
    const host = await this.options.openHost();
    const place: OpenHost = { host, stale: new Set(this.options.files.list()) };
    this.open.add(place);
    return place;
  }

  private updatesFor({ stale }: OpenHost): FileUpdate[] {
    const { files } = this.options;
    const updates = [...stale].map((path): FileUpdate =>
      files.kind(path) === 'file' ? { path, content: files.readContent(path) } : { path },
    );
    stale.clear();
    return updates;
  }

  /** Writes the changes, each in the queue of its path; what others wrote to other paths meanwhile stays. */
  private async take(outcome: JobOutcome, files: VirtualFileSystem, { stale }: OpenHost): Promise<string[]> {
    this.shell = outcome.shell;
    const notes: string[] = [];
    for (const update of inFittingOrder(outcome.changes, files)) {
      const { path, content } = update;
      const name = displayPath(path);
      await files.runExclusive(path, () => {
        if (stale.has(path))
          notes.push(`${name} was changed by something else meanwhile; what was written here replaced that.`);
        try {
          if (content !== undefined) files.writeContent(path, content);
          else if (files.kind(path) === 'file') files.remove(path);
          stale.delete(path);
        } catch (error) {
          stale.add(path);
          notes.push(`${name} was not changed: ${errorMessage(error)}`);
        }
      });
    }
    return notes;
  }
}

/** Removals first, and what grows last: so what fits at the end fits on the way. */
function inFittingOrder(changes: FileUpdate[], files: VirtualFileSystem): FileUpdate[] {
  const growth = ({ path, content }: FileUpdate) => {
    if (content === undefined) return -Infinity;
    const bytes = typeof content === 'string' ? utf8Length(content) : content.length;
    return bytes - (files.kind(path) === 'file' ? files.size(path) : 0);
  };
  return changes
    .map((change) => ({ change, growth: growth(change) }))
    .sort((a, b) => (a.growth === b.growth ? 0 : a.growth - b.growth))
    .map(({ change }) => change);
}
