/** Being the model: how it begins, and how an answer gets to the request that waits for it. */
import { tick } from 'svelte';
import { m } from '../../i18n';
import type { ManualAnswer } from '../../protocol';
import type { Problem } from '../../records/types';
import { waitingRequest } from '../../trace';
import type { RequestNode } from '../../trace';
import { problemOf } from '../client';
import type { Page } from '../page.svelte';

/** So that there is something to see: what a small agent is usually told. */
const systemPrompt = 'You are a careful coding agent. The project is in the working directory.';

/** Said until the first request comes: then it would lie over its answer. */
const takenOver = 'takenOver';

export class ManualActions {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Requests of the open session come to the person. */
  get isOn(): boolean {
    const { session } = this.#page;
    return (void session.version, session.trace.config.model?.api === 'manual');
  }

  /** The open session can go on with the person as its model. */
  get canTakeOver(): boolean {
    const { session, isLocked } = this.#page;
    return (void session.version, !isLocked && !this.isOn && session.trace.state === 'idle');
  }

  /** The request that waits for an answer which can be given here. */
  get waiting(): RequestNode | undefined {
    const { session, isLocked } = this.#page;
    return (void session.version, isLocked ? undefined : waitingRequest(session.trace));
  }

  /** The last answer was a person's. */
  get wasPlayed(): boolean {
    const { session } = this.#page;
    return (void session.version, session.trace.requests.at(-1)?.model.api === 'manual');
  }

  /** A new session whose model is the person. */
  async begin(): Promise<void> {
    const title = m.manual_session_title();
    await this.#page.create({ kind: 'live', endpoint: 'manual', systemPrompt, title });
    await this.#writePrompt();
  }

  /** From the next run on, requests of the open session come to the person. */
  async takeOver(): Promise<void> {
    if (!(await this.#page.act({ type: 'configure', endpoint: 'manual' }))) return;
    this.#page.notices.add({ kind: 'info', text: m.manual_taken_over() }, { about: takenOver });
    await this.#writePrompt();
  }

  /** A request has come. */
  came(): void {
    this.#page.notices.succeeded(takenOver);
  }

  /** Brings the answer that is being written into sight. */
  showAnswer(): void {
    const { view } = this.#page;
    view.centre.lower = 'conversation';
    view.panel = 'conversation';
  }

  /** Resolves to what is wrong with the answer. When the request waits no more, the page says so. */
  async answer(message: string, answer: ManualAnswer): Promise<Problem | undefined> {
    try {
      await this.#page.session.send({ type: 'answerAsModel', message, answer });
      return undefined;
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code === 'ask.over') this.#page.tellError(error);
      return problem;
    }
  }

  async #writePrompt(): Promise<void> {
    await tick();
    if (this.#page.session.phase === 'open') this.#page.composer?.focus();
  }
}
