/** What the page asks for: sessions that are created, opened and closed, and commands for the one that is open. */
import type { Command, FromWorker, Opened, RequestBody } from '../protocol';
import type { Problem, SessionInfo, TraceRecord } from '../records/types';
import { expandFiles } from '../scenario';
import { problem, ProblemError } from '../store';
import type { Store } from '../store';
import { Claims } from './claim';
import type { Claim, Locks } from './claim';
import { Endpoints } from './endpoints';
import { OwnedSession } from './owned-session';
import { isVirtual, originOf, planOfSetup, planOfStored } from './plan';
import { requestBody } from './request-body';
import { restore } from './restore';
import { readSessionFile } from './session-file';
import { sessionCommand } from './session-commands';
import type { SessionCommand } from './session-commands';
import type { OpenRunner } from './session-parts';
import { WatchedSession } from './watched-session';

export interface HostOptions {
  store: Promise<Store>;
  post: (message: FromWorker) => void;
  onFailure: (error: unknown) => void;
  /** The bytes of a shipped sample, by its path under `samples/`. */
  loadSample: (path: string) => Promise<Uint8Array>;
  locks?: Locks | undefined;
  /** Tells other tabs that the list of sessions changed. */
  onSessions?: () => void;
  /** Where the tools' long work runs. */
  openRunner?: OpenRunner | undefined;
  /** Where the samples are, with a slash at the end. */
  samplesUrl?: string | undefined;
}

type OpenSession = OwnedSession | WatchedSession;
/** `cancel` is about another command, whatever that is about. */
export type HostCommand = Exclude<Command, { type: 'cancel' }>;
type Of<T extends Command['type']> = Extract<Command, { type: T }>;

export class Host {
  readonly #options: HostOptions;
  readonly #endpoints = new Endpoints();
  readonly #claims: Claims;
  #open: OpenSession | undefined;
  /** Closed, but not all of it could be stored yet. */
  readonly #unsaved = new Map<string, OwnedSession>();
  /** What opens or closes sessions is done one after the other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: HostOptions) {
    this.#options = options;
    this.#claims = new Claims(options.locks);
  }

  /** Does what a command asks for, or stops asking an endpoint. Rejects with what `problemFrom` understands. */
  async handle(command: HostCommand, signal: AbortSignal): Promise<unknown> {
    switch (command.type) {
      case 'create':
        return this.#inTurn(() => this.#create(command));
      case 'open':
        return this.#inTurn(() => this.#openStored(command.session));
      case 'importSession':
        return this.#inTurn(() => this.#import(command));
      case 'claimSession':
        return this.#inTurn(() => this.#claims.keep(command.session));
      case 'releaseSession':
        return this.#inTurn(() => Promise.resolve(this.#claims.letGo(command.session)));
      case 'deleteSession':
        return this.#inTurn(() => this.#delete(command.session));
      case 'renameSession':
        return this.#inTurn(() => this.#rename(command));
      case 'listSessions':
        return (await this.#options.store).listSessions();
      case 'setKey':
        return this.#endpoints.setKey(command.origin, command.key);
      case 'listModels':
        return this.#endpoints.listModels(command.baseUrl, signal);
      case 'testConnection':
        return this.#endpoints.test(command, signal);
      case 'requestBody':
        return this.#requestBody(command);
      case 'records':
        return this.#opened(command.session).records();
      case 'blob':
        return this.#opened(command.session).blob(command.hash);
      default:
        return this.#onOpen(command);
    }
  }

  /** Ends what runs, and stores everything. */
  close(): Promise<void> {
    return this.#inTurn(() => this.#close());
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => undefined); // the caller gets the error through `result`
    return result;
  }

  async #requestBody({ session, message }: Of<'requestBody'>): Promise<RequestBody> {
    const open = this.#opened(session);
    const { keys } = this.#endpoints;
    return requestBody(await open.trace(), message, {
      readBlob: (hash) => open.blob(hash),
      hasKey: (baseUrl) => keys.has(originOf(baseUrl) ?? ''),
    });
  }

  async #onOpen(command: SessionCommand): Promise<unknown> {
    const open = this.#opened(command.session);
    if (open.readOnly) throw problem('session.readOnly');
    const reply = sessionCommand(open.session, command);
    // What is done between runs is on disk when the page hears of it: no end of a turn or run stores it soon.
    if (open.session.isIdle) await open.save();
    return reply;
  }

  #opened(session: string): OpenSession {
    if (this.#open?.id !== session) throw problem('session.notOpen');
    return this.#open;
  }

  /** Everything that may be refused comes first: a refusal leaves the open session as it is. */
  async #create({ setup }: Of<'create'>): Promise<Opened> {
    const { store: opening, loadSample } = this.#options;
    const plan = planOfSetup(setup);
    const files = await expandFiles(plan.scenario?.files, loadSample);
    const store = await opening;
    await this.#close();
    const createdAt = Date.now();
    const info: SessionInfo = {
      id: sessionId(),
      title: setup.title ?? plan.scenario?.title ?? '',
      createdAt,
      updatedAt: createdAt,
      seq: 0,
      at: 0,
      state: 'idle',
      ...(plan.scenario ? { scenario: plan.scenario } : {}),
      ...(setup.kind === 'scenario' && setup.scenarioId !== undefined
        ? { scenarioId: setup.scenarioId }
        : {}),
    };
    const owned = await this.#claims.take(info.id);
    return this.#show(new OwnedSession({ ...this.#parts(store), info, claim: owned, plan, files }));
  }

  /** It is stored first, and opens like any other. */
  async #import({ file }: Of<'importSession'>): Promise<Opened> {
    const id = sessionId();
    const read = await readSessionFile(file, id);
    await (await this.#options.store).commit(read);
    return this.#openStored(id);
  }

  async #openStored(session: string): Promise<Opened> {
    if (this.#open?.id === session && !this.#open.readOnly) return this.#open.opened();
    const store = await this.#options.store;
    await this.#leave(session);
    await infoOf(store, session);
    const claimed = await this.#claims.take(session);
    try {
      return await this.#openClaimed(store, session, claimed);
    } catch (error) {
      claimed.release();
      throw error;
    }
  }

  async #openClaimed(store: Store, session: string, claimed: Claim): Promise<Opened> {
    // Read only now: before, another tab may have written.
    const info = await infoOf(store, session);
    const { records, problem: damage } = await store.readRecords(session);
    if (!claimed.owned) {
      await this.#close();
      return this.#show(this.#watched(store, info, claimed, records, damage));
    }
    const restored = await restore(records, (hash) => store.readBlob(hash));
    const plan = planOfStored(info, restored.trace.config, records);
    await this.#close();
    const trouble = damage ?? restored.problem;
    return this.#show(
      new OwnedSession({
        ...this.#parts(store),
        info,
        claim: claimed,
        plan,
        restored,
        problem: trouble,
        endpointUnconfirmed: info.endpointUnconfirmed ?? false,
      }),
    );
  }

  #watched(
    store: Store,
    info: SessionInfo,
    claimed: Claim,
    records: readonly TraceRecord[],
    damage?: Problem,
  ): WatchedSession {
    const { post, onFailure } = this.#options;
    const watched: WatchedSession = new WatchedSession({
      info,
      store,
      claim: claimed,
      seq: records.length,
      virtual: isVirtual(info, records),
      problem: damage,
      post,
      onFailure,
      onTakeover: () => void this.#inTurn(() => this.#takeOver(watched)).catch(onFailure),
    });
    return watched;
  }

  /** The tab that wrote it has let go. */
  async #takeOver(watched: WatchedSession): Promise<void> {
    if (this.#open !== watched) return;
    const claimed = watched.handOver();
    this.#open = undefined;
    try {
      const opened = await this.#openClaimed(await this.#options.store, watched.id, claimed);
      this.#options.post({ type: 'opened', opened });
    } catch (error) {
      claimed.release();
      throw error;
    }
  }

  #parts(store: Store) {
    const { post, onFailure, openRunner, samplesUrl } = this.#options;
    return {
      store,
      openRunner,
      samplesUrl,
      keys: this.#endpoints.keys,
      onFailure,
      post: (message: FromWorker) => {
        post(message);
        if (message.type === 'sessions') this.#options.onSessions?.();
      },
    };
  }

  async #show(session: OpenSession): Promise<Opened> {
    this.#open = session;
    const opened = await session.opened();
    this.#sessionsChanged();
    return opened;
  }

  async #close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.close();
    if (!open || open.readOnly) return;
    this.#unsaved.set(open.id, open);
    await this.#leave(open.id).catch(() => undefined); // told by a `storage` message
  }

  /** Stores what is left of a closed session. Rejects with the problem when that fails again. */
  async #leave(session: string): Promise<void> {
    const trouble = await this.#unsaved.get(session)?.leave();
    if (trouble) throw new ProblemError(trouble);
    this.#unsaved.delete(session);
  }

  /** A refusal leaves the open session as it is. */
  async #delete(session: string): Promise<void> {
    try {
      await this.#claims.during(session, async () => {
        if (this.#open?.id === session) await this.#close();
        this.#unsaved.get(session)?.discard();
        this.#unsaved.delete(session);
        await (await this.#options.store).deleteSession(session);
      });
    } finally {
      this.#claims.letGo(session);
    }
    this.#sessionsChanged();
  }

  async #rename({ session, title }: Of<'renameSession'>): Promise<void> {
    if (this.#open?.id === session && !this.#open.readOnly) return this.#open.rename(title);
    await this.#claims.during(session, async () =>
      (await this.#options.store).updateSession(session, { title }),
    );
    this.#sessionsChanged();
  }

  #sessionsChanged(): void {
    this.#options.post({ type: 'sessions' });
    this.#options.onSessions?.();
  }
}

async function infoOf(store: Store, session: string): Promise<SessionInfo> {
  const info = await store.readSession(session);
  if (!info) throw problem('session.missing');
  return info;
}

/** 80 random bits: of ids that begin with the time, those of one millisecond would look alike when they are cut. */
function sessionId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(10));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
