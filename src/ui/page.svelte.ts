/** The page: its worker, the open session, the list of sessions, and what a person can do with them. */
import { errorText, m } from '../i18n';
import type { SessionSetup } from '../protocol';
import type { Problem, SessionInfo } from '../records/types';
import { firstScenarioId, loadShipped } from '../scenario/shipped';
import type { Scenario } from '../scenario/types';
import { openStore } from '../store';
import { transportAction, unsteppable } from './bar/transport';
import type { TransportAction } from './bar/transport';
import { problemOf, WorkerClient } from './client';
import type { WorkerState } from './client';
import { joinedTexts, readDraft, writeDraft } from './drafts';
import { textOf } from './lib/message-text';
import { ManualActions } from './manual/manual-actions';
import { Notices } from './notices.svelte';
import { scenarioTitle, shippedScenarios } from './scenarios';
import { Session } from './session.svelte';
import type { SessionCommand } from './session.svelte';
import { EndpointActions } from './settings/endpoint-actions.svelte';
import type { ScenarioSetup } from './settings/endpoint-actions.svelte';
import { Leaving } from './sessions/leaving.svelte';
import { SessionActions } from './sessions/session-actions';
import { SessionList } from './sessions/sessions.svelte';
import { isUntouched } from './sessions/untouched';
import { ofThisTab, readStored, Settings, writeStored } from './settings.svelte';
import { QueueEdits } from './queues/edits.svelte';
import { View } from './view.svelte';
import { spawnWorker } from './worker';

/** The field in which a person writes, as others of the page need it. */
export interface ComposerField {
  focus: () => void;
  /** Puts a text behind the draft, and the keyboard there. */
  takeIn: (text: string) => void;
}

export class Page {
  readonly settings = new Settings();
  readonly view = new View();
  readonly notices = new Notices();
  readonly session: Session;
  readonly sessions: SessionList;
  readonly client: WorkerClient;
  readonly queueEdits = new QueueEdits();
  /** Of the open session, while it is there. */
  composer: ComposerField | undefined;
  readonly sessionActions = new SessionActions(this);
  readonly leaving = new Leaving();
  readonly manual = new ManualActions(this);
  readonly endpoints: EndpointActions;
  workerState = $state<WorkerState>('starting');
  /** The database as a whole does not work. */
  databaseProblem = $state.raw<Problem | undefined>();
  readonly store = openStore();
  /** The first session is being opened. */
  #isStarting = false;

  constructor() {
    this.client = new WorkerClient(spawnWorker, {
      state: (state) => this.#workerChanged(state),
      message: (message) => {
        if (message.type === 'ready') void this.endpoints.keys.sendAll();
        else if (message.type === 'sessions') void this.sessions.refresh();
        else if (message.type === 'failure') this.tell(errorText(message.problem));
        else if (message.type === 'database') this.databaseProblem = message.problem;
        else if (message.type === 'opened') void this.#show(() => Promise.resolve(message.opened));
        else this.session.receive(message);
      },
    });
    this.endpoints = new EndpointActions(this);
    this.sessions = new SessionList(async () => {
      const store = await this.store;
      if (store.stored) return store.listSessions();
      return (await this.client.send({ type: 'listSessions' })) as SessionInfo[];
    });
    this.session = new Session(this.client, async (id, after) => (await this.store).readRecords(id, after));
  }

  /** Starts the worker, and with it the session that was open last in this tab, else the newest, else a first one. */
  async start(): Promise<void> {
    this.#isStarting = true;
    await this.#startWith().finally(() => (this.#isStarting = false));
  }

  async #startWith(): Promise<void> {
    this.client.start();
    const last = readStored(ofThisTab, 'session');
    void this.endpoints.loadKeys();
    await this.sessions.refresh();
    const known = this.sessions.all.find(({ id }) => id === last) ?? this.sessions.all[0];
    if (known) await this.open(known.id);
    else await this.newFromShipped(firstScenarioId);
    const [session, speed = ''] = (readStored(ofThisTab, 'speed') ?? '').split(' ');
    if (session === this.session.id && this.session.clock?.virtual && !this.isLocked)
      await this.act({ type: 'speed', speed: Number(speed) });
  }

  /** How fast the open session plays, also when the page is loaded anew. */
  async setSpeed(speed: number): Promise<void> {
    if (await this.act({ type: 'speed', speed }))
      writeStored(ofThisTab, 'speed', `${this.session.id ?? ''} ${speed}`);
  }

  /** After the worker failed: a new one, and the same session again. */
  async restart(): Promise<void> {
    const { id } = this.session;
    this.client.start();
    if (id) await this.open(id);
    else await this.start();
  }

  async open(id: string): Promise<void> {
    await this.#show(() => this.client.send({ type: 'open', session: id }), id);
  }

  /** A scenario that a model of the person's own plays waits for them to say which. */
  async create(setup: SessionSetup): Promise<void> {
    if (setup.kind === 'scenario' && setup.scenario.model.kind === 'live' && !setup.endpoint)
      this.endpoints.askFor(setup);
    else await this.#show(() => this.client.send({ type: 'create', setup }));
  }

  async newFromShipped(id: string): Promise<void> {
    try {
      const scenario = await loadShipped(id);
      const title = shippedScenarios.find((shipped) => shipped.id === id)?.title() ?? scenario.title;
      await this.create({ kind: 'scenario', scenario, scenarioId: id, title });
    } catch (error) {
      this.tellError(error);
    }
  }

  /** A fresh session of the scenario that is open, or of the first. */
  async newAgain(): Promise<void> {
    const { info } = this.session;
    const setup = info && this.#sameAgain(info);
    if (setup) await this.create(await this.endpoints.withOwn(setup));
    else await this.newFromShipped(firstScenarioId);
  }

  async newFromFile(file: File): Promise<void> {
    let scenario: Scenario;
    try {
      // What reads scenarios is only loaded for those that come from outside.
      const { parseScenarioText } = await import('../scenario/schema');
      scenario = parseScenarioText(await file.text());
    } catch (error) {
      this.tell(m.scenario_file_failed({ file: file.name, reason: errorText(problemOf(error)) }));
      return;
    }
    await this.create({ kind: 'scenario', scenario });
  }

  /** What the big button does now. */
  get transport(): TransportAction {
    return transportAction(this.session);
  }

  /** A session is open, and the worker is there. */
  get isUsable(): boolean {
    return this.workerState !== 'failed' && this.session.phase === 'open';
  }

  /** Nothing can be sent or changed. */
  get isLocked(): boolean {
    return !this.isUsable || this.session.readOnly;
  }

  async press(): Promise<void> {
    switch (this.transport) {
      case 'play':
      case 'resume':
        await this.act({ type: 'play' });
        break;
      case 'pause':
        await this.act({ type: 'pause' });
        break;
      case 'again': {
        const before = this.session.id;
        await this.newAgain();
        if (this.session.id !== before && this.session.phase === 'open') await this.act({ type: 'play' });
        break;
      }
      case 'none':
    }
  }

  /** To the next step of the loop, when there is one. */
  async step(): Promise<void> {
    if (!unsteppable(this.session, this.isUsable)) await this.act({ type: 'step' });
  }

  /** Sends a command for the open session; tells what is wrong when it is refused. Resolves to whether it was accepted. */
  async act(command: SessionCommand): Promise<boolean> {
    try {
      await this.session.send(command);
      this.notices.succeeded(command.type);
      return true;
    } catch (error) {
      const problem = problemOf(error);
      // The dialog says why.
      if (problem.code === 'endpoint.unconfirmed') this.view.dialog = 'endpoint';
      else this.notices.add({ kind: 'error', text: errorText(problem) }, { about: command.type });
      return false;
    }
  }

  /** Empties both queues and gives the texts of what was still there, in the order in which it was queued. */
  async recall(): Promise<string[]> {
    const { steering, followUp } = this.session.trace.queues;
    const items = [...steering, ...followUp].sort((a, b) => a.seq - b.seq);
    const taken: string[] = [];
    for (const { id, message } of items) {
      try {
        await this.session.send({ type: 'removeQueued', item: id });
        taken.push(textOf(message));
      } catch (error) {
        // A poll took it first: it has joined the context, and is not lost.
        if (problemOf(error).code !== 'queue.gone') this.tellError(error);
      }
    }
    return taken;
  }

  /** Changes a queued message; when that cannot be done any more, the text comes back to the person. */
  async editQueued(item: string, text: string): Promise<void> {
    const { id = '' } = this.session;
    try {
      await this.session.send({ type: 'editQueued', item, text });
    } catch (error) {
      if (problemOf(error).code !== 'queue.gone') this.tellError(error);
      this.#giveBack(id, text);
    }
  }

  /** What was being edited in queued messages that a poll has taken comes back to the person. */
  giveBackLostEdits(): void {
    const { id = '', trace } = this.session;
    const { steering, followUp } = trace.queues;
    const isQueued = (item: string) => [...steering, ...followUp].some((queued) => queued.id === item);
    for (const text of this.queueEdits.takeLost(id, isQueued)) this.#giveBack(id, text);
  }

  #giveBack(session: string, text: string): void {
    this.notices.add({ kind: 'info', text: m.edit_given_back() });
    if (this.composer && session === this.session.id) this.composer.takeIn(text);
    else writeDraft(session, joinedTexts(readDraft(session), text));
  }

  #sameAgain(info: SessionInfo): ScenarioSetup | undefined {
    const { scenario, scenarioId } = info;
    if (scenario === undefined) return undefined;
    // Not the title that a person gave to the session.
    const title = scenarioTitle(info) ?? info.title;
    const setup = { kind: 'scenario' as const, scenario: scenario as Scenario, title };
    return scenarioId === undefined ? setup : { ...setup, scenarioId };
  }

  async #show(request: () => Promise<unknown>, stored?: string): Promise<void> {
    const problem = await this.#opens(request, stored);
    if (problem && this.session.phase === 'open') this.tell(errorText(problem));
  }

  /** Opens a new session. Resolves to what is wrong when it does not. */
  async opens(setup: SessionSetup): Promise<Problem | undefined> {
    return this.#opens(() => this.client.send({ type: 'create', setup }));
  }

  /** The same for the session in a file. */
  async imports(file: Blob): Promise<Problem | undefined> {
    return this.#opens(() => this.client.send({ type: 'importSession', file }));
  }

  async #opens(request: () => Promise<unknown>, stored?: string): Promise<Problem | undefined> {
    if (!(await this.leaving.mayLeave(this.session))) return undefined;
    const before = this.session.id;
    const { dialog } = this.view;
    const untouched = this.#untouched();
    const problem = await this.session.show(request, stored);
    if (this.session.id !== before) {
      // The first one may have been looked at before it was open.
      if (before !== undefined) this.view.reset();
      this.notices.leaveSession();
      // Another tab may hold it: then it is that tab's.
      if (untouched)
        await this.client.send({ type: 'deleteSession', session: untouched }).catch(() => undefined);
    }
    writeStored(ofThisTab, 'session', this.session.id);
    // One that was opened meanwhile, or while the page began, is the person's next step.
    const isDone = !this.#isStarting && this.view.dialog === dialog;
    if (this.session.phase === 'open' && !problem && isDone) this.view.dialog = undefined;
    await this.sessions.refresh();
    return this.session.phase === 'failed' ? this.session.problem : problem;
  }

  /** The open session's id, when nothing was ever done in it: looking at scenarios leaves nothing behind. */
  #untouched(): string | undefined {
    const { info, log, readOnly, phase, damage } = this.session;
    if (!info || readOnly || phase !== 'open' || damage || readDraft(info.id) !== '') return undefined;
    // One that was deleted is gone when nobody takes that back.
    if (!this.sessions.shown.some(({ id }) => id === info.id)) return undefined;
    const titles = [scenarioTitle(info), (info.scenario as Scenario | undefined)?.title];
    return isUntouched(info, titles, log) ? info.id : undefined;
  }

  #workerChanged(state: WorkerState): void {
    this.workerState = state;
  }

  /** Says what went wrong at the bottom of the page. */
  tellError(error: unknown): void {
    const problem = problemOf(error);
    const text = errorText(problem);
    // The page may be of before a deployment, and what it asks for be gone.
    const action = { label: m.reload(), run: () => location.reload() };
    if (problem.code !== 'page.notLoaded') this.tell(text);
    else if (!this.notices.list.some((notice) => notice.text === text))
      this.notices.add({ kind: 'error', text, action });
  }

  tell(text: string): void {
    this.notices.add({ kind: 'error', text });
  }
}
