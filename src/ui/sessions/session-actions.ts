/** What can be done with any session of the list. */
import { errorText, m } from '../../i18n';
import type { Problem, SessionInfo } from '../../records/types';
import { firstScenarioId } from '../../scenario/shipped';
import { forgetDrafts } from '../drafts';
import { saveAsScenario, saveSession } from '../export';
import type { Store } from '../../store';
import type { Page } from '../page.svelte';
import type { Session } from '../session.svelte';

const undoMs = 8000;
const savedMs = 15_000;

export class SessionActions {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  async rename(id: string, title: string): Promise<void> {
    try {
      await this.#page.client.send({ type: 'renameSession', session: id, title });
      if (this.#page.session.info?.id === id) this.#page.session.info = { ...this.#page.session.info, title };
      await this.#page.sessions.refresh();
    } catch (error) {
      this.#page.tellError(error);
    }
  }

  /**
   * Takes a session out of sight; it is gone in earnest when nobody took that back for a while, and until then no other tab
   * can write it. One that another tab writes stays in sight. Resolves when it is out of sight, or is not going to be.
   */
  async remove(info: SessionInfo): Promise<void> {
    const { sessions, client } = this.#page;
    try {
      await client.send({ type: 'claimSession', session: info.id });
    } catch (error) {
      this.#page.tellError(error);
      return;
    }
    // It was pressed twice.
    if (!sessions.shown.some(({ id }) => id === info.id)) return;
    sessions.hide(info.id);
    void this.#leaveRemoved(info);
  }

  async #leaveRemoved({ id, title }: SessionInfo): Promise<void> {
    const { session, notices } = this.#page;
    const wasOpen = session.id === id;
    if (wasOpen) await this.#openAnother();
    // The person stays in it.
    if (session.id === id) return this.#keep(id);
    const undo = () => {
      this.#keep(id);
      if (wasOpen) void this.#page.open(id);
    };
    notices.add(
      { kind: 'info', text: m.session_deleted({ title }), action: { label: m.undo(), run: undo } },
      { ms: undoMs, ofPage: true, gone: () => void this.#delete(id) },
    );
  }

  #keep(id: string): void {
    this.#page.sessions.unhide(id);
    // What cannot be let go of is gone with the worker.
    this.#page.client.send({ type: 'releaseSession', session: id }).catch(() => undefined);
  }

  /** The session as a file, or as a scenario that plays it again: the open one as the page has it, another from what is stored. */
  async save(info: SessionInfo, as: 'session' | 'scenario' = 'session'): Promise<void> {
    try {
      const open = info.id === this.#page.session.id ? this.#page.session : undefined;
      const store = await this.#page.store;
      const of = open?.info ?? info;
      const problem =
        as === 'session' ? await saveSession(of, store, open) : await this.#saveScenario(of, store, open);
      if (problem) this.#page.tell(errorText(problem));
    } catch (error) {
      this.#page.tellError(error);
    }
  }

  /** A download says little of where it went, and nothing of what it is for. */
  async #saveScenario(
    info: SessionInfo,
    store: Store,
    open: Session | undefined,
  ): Promise<Problem | undefined> {
    const ending = m.scenario_as_played({ title: '' }).trim();
    const title = info.title.endsWith(ending) ? info.title : m.scenario_as_played({ title: info.title });
    const { scenario, file, problem } = await saveAsScenario(info, title, store, open);
    this.#page.notices.add(
      {
        kind: 'info',
        text: m.scenario_saved({ file, scenario: m.scenario(), open: m.open_scenario_file() }),
        action: {
          label: m.scenario_open_now(),
          run: () => void this.#page.create({ kind: 'scenario', scenario }),
        },
      },
      { ms: savedMs },
    );
    return problem;
  }

  async #openAnother(): Promise<void> {
    const next = this.#page.sessions.shown[0];
    if (next) await this.#page.open(next.id);
    else await this.#page.newFromShipped(firstScenarioId);
  }

  async #delete(id: string): Promise<void> {
    try {
      await this.#page.client.send({ type: 'deleteSession', session: id });
      forgetDrafts(id);
    } catch (error) {
      this.#page.sessions.unhide(id);
      this.#page.tellError(error);
    }
  }
}
