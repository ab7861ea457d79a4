/** What can be done with a person's endpoints and their keys. */
import { errorText, m } from '../../i18n';
import type { ConnectionTest, FoundModels, SessionSetup } from '../../protocol';
import type { Problem } from '../../records/types';
import { problemOf } from '../client';
import type { Page } from '../page.svelte';
import type { EndpointChoice, EndpointDraft } from './endpoint-draft';
import { Keys } from './keys.svelte';
import type { KeyPlace } from './keys.svelte';

export type ScenarioSetup = Extract<SessionSetup, { kind: 'scenario' }>;

export class EndpointActions {
  readonly #page: Page;
  readonly keys: Keys;
  /** A scenario that waits for the person to say which endpoint plays it: none is asked that was not seen. */
  waiting = $state.raw<ScenarioSetup | undefined>();

  /** The person came to mend the endpoint of the open session. */
  isChanging = $state(false);

  /** What was typed and not used, all of it: what may not be stored is kept for as long as the page. */
  draft: EndpointDraft | undefined;

  constructor(page: Page) {
    this.#page = page;
    this.keys = new Keys(page.store, (command) => page.client.send(command));
  }

  /** Reads the keys of this device. What is wrong with the database, the page says anyway. */
  async loadKeys(): Promise<void> {
    await this.keys.load().catch(() => undefined);
  }

  /**
   * A scenario to be played again, with the endpoint of the open session when the person has used it in this browser: one
   * that came with a file stays unused until it is typed.
   */
  async withOwn(setup: ScenarioSetup): Promise<ScenarioSetup> {
    const { choiceOfSession, isSameModel } = await import('./endpoint-draft');
    const used = choiceOfSession(this.#page.session.trace.config)?.endpoint;
    if (!used || this.isImported) return setup;
    const { savedEndpoints } = await import('./saved-endpoints');
    return savedEndpoints().some(({ endpoint }) => isSameModel(endpoint, used))
      ? { ...setup, endpoint: used }
      : setup;
  }

  /** The open session came with a file, and nobody has chosen an endpoint for it in this browser. */
  get isImported(): boolean {
    return this.#page.session.info?.endpointUnconfirmed === true;
  }

  /** Asks which endpoint plays a scenario. */
  askFor(setup: ScenarioSetup): void {
    this.waiting = setup;
    this.#page.view.dialog = 'endpoint';
  }

  /** Asks for another endpoint for the open session, whose own one failed. */
  change(): void {
    this.isChanging = true;
    this.#page.view.dialog = 'endpoint';
  }

  /** Resolves once the endpoint was taken; else to what is wrong, for the dialog that asked. */
  async create(
    { endpoint, thinkingLevel, options }: EndpointChoice,
    systemPrompt: string,
  ): Promise<Problem | undefined> {
    const title = m.live_session_title({ model: endpoint.model });
    const problem = await this.#page.opens({
      ...{ kind: 'live', endpoint, title, thinkingLevel, options },
      ...(systemPrompt === '' ? {} : { systemPrompt }),
    });
    return this.#forDialog(problem);
  }

  /** The same for the scenario that waits. */
  async play({ endpoint }: EndpointChoice): Promise<Problem | undefined> {
    if (!this.waiting) return undefined;
    return this.#forDialog(await this.#page.opens({ ...this.waiting, endpoint }));
  }

  /** The same for the open session, which goes on with it. */
  async use({ endpoint, thinkingLevel, options }: EndpointChoice): Promise<Problem | undefined> {
    try {
      await this.#page.session.send({ type: 'configure', endpoint, thinkingLevel, options });
    } catch (error) {
      return this.#forDialog(problemOf(error));
    }
    const { session } = this.#page;
    if (session.info) {
      const { endpointUnconfirmed: _, ...info } = session.info;
      session.info = info;
    }
    this.#page.view.dialog = undefined;
    return undefined;
  }

  async listModels(baseUrl: string, signal: AbortSignal): Promise<FoundModels> {
    return (await this.#page.client.send({ type: 'listModels', baseUrl }, signal)) as FoundModels;
  }

  /** As a session with that choice would ask. */
  async test(choice: EndpointChoice, signal: AbortSignal): Promise<ConnectionTest> {
    return (await this.#page.client.send({ type: 'testConnection', ...choice }, signal)) as ConnectionTest;
  }

  /** A key that cannot be kept where it shall be is told, and still works in this tab. */
  async setKey(origin: string, key: string, place: KeyPlace): Promise<void> {
    await this.#tellFailure(this.keys.set(origin, key, place));
  }

  async moveKey(origin: string, place: KeyPlace): Promise<void> {
    await this.#tellFailure(this.keys.move(origin, place));
  }

  async forgetKey(origin: string): Promise<void> {
    await this.#tellFailure(this.keys.forget(origin));
  }

  async #tellFailure(done: Promise<void>): Promise<void> {
    try {
      await done;
    } catch (error) {
      this.#page.tellError(error);
    }
  }

  /** The dialog says it at its fields; when it was closed meanwhile, the page does. */
  #forDialog(problem: Problem | undefined): Problem | undefined {
    if (problem && this.#page.view.dialog !== 'endpoint') this.#page.tell(errorText(problem));
    return problem;
  }
}
