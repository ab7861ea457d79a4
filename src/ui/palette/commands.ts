/** Everything that a person can do with the page, by name. */
import { locales, m } from '../../i18n';
import { canRetry, continueKind } from '../../trace';
import { searchTrace } from '../../trace/search';
import type { SearchHit } from '../../trace/search';
import { unsteppable } from '../bar/transport';
import { number } from '../lib/format';
import type { Page } from '../page.svelte';
import { shippedScenarios } from '../scenarios';
import type { Theme } from '../settings.svelte';
import type { LowerName, Selection } from '../view.svelte';

export interface Command {
  id: string;
  title: string;
  /** The title holds what a person or a model wrote. */
  isRaw?: boolean;
  keys?: string;
  /** Of a session: when something last happened in it, in ms since the epoch, and whether it still runs. */
  session?: { updatedAt: number; runs: boolean };
  run: () => void;
}

/** Those that make sense now. */
export function commandsOf(page: Page, toEnd: () => void): Command[] {
  return [
    ...runCommands(page),
    ...goCommands(page, toEnd),
    ...speedCommands(page),
    ...panelCommands(page),
    ...dialogCommands(page),
    ...lookCommands(page),
    ...sessionCommands(page),
  ];
}

function runCommands(page: Page): Command[] {
  const { session, transport } = page;
  const { trace } = session;
  const commands: Command[] = [];
  const add = (id: string, title: string, run: () => void, keys?: string) =>
    commands.push({ id, title, run, ...(keys ? { keys } : {}) });
  if (page.isLocked) return commands;
  const titles = { play: m.play, resume: m.play, pause: m.pause, again: m.play_again };
  if (transport !== 'none') add('play', titles[transport](), () => void page.press(), m.key_f8());
  if (!unsteppable(session, page.isUsable)) add('step', m.step(), () => void page.step(), m.key_f10());
  const run = trace.runs.at(-1);
  if (run?.status === 'running')
    add('abort', m.command_abort(), () => void page.act({ type: 'abort', run: run.id }));
  if (typeof continueKind(trace) === 'string')
    add('continue', m.continue_run(), () => void page.act({ type: 'continue' }));
  if (page.manual.canTakeOver) add('take-over', m.manual_take_over(), () => void page.manual.takeOver());
  if (canRetry(trace)) add('retry', m.command_retry(), () => void page.act({ type: 'retry' }));
  return commands;
}

function goCommands(page: Page, toEnd: () => void): Command[] {
  const { view, session } = page;
  const errors = searchTrace(session.trace, { text: '', errorsOnly: true });
  const commands: Command[] = [
    { id: 'search', title: m.search_trace(), keys: '/', run: () => view.openSearch() },
    { id: 'live', title: m.command_newest(), keys: m.key_l(), run: toEnd },
  ];
  if (errors.length === 0) return commands;
  const go = (hit: SearchHit | undefined) => hit && view.select(selectionOf(hit));
  const at = seqOf(page, view.selection);
  return [
    ...commands,
    {
      id: 'next-error',
      title: m.command_next_error(),
      run: () => go(errors.find(({ seq }) => seq > at) ?? errors[0]),
    },
    {
      id: 'previous-error',
      title: m.command_previous_error(),
      run: () => go(errors.findLast(({ seq }) => seq < at) ?? errors.at(-1)),
    },
  ];
}

function selectionOf({ ref, seq }: SearchHit): Selection {
  return ref.kind === 'note' ? { kind: 'note', seq } : { kind: ref.kind, id: ref.id };
}

function seqOf({ session: { trace } }: Page, selection: Selection | undefined): number {
  if (!selection) return 0;
  if (selection.kind === 'note') return selection.seq;
  const nodes = { run: trace.runsById, turn: trace.turns, message: trace.messages, call: trace.calls };
  return nodes[selection.kind].get(selection.id)?.seq ?? 0;
}

function speedCommands(page: Page): Command[] {
  if (!page.session.clock?.virtual || page.isLocked) return [];
  return [0.25, 0.5, 1, 2, 5, 20, Infinity].map((speed) => {
    const text = Number.isFinite(speed)
      ? m.speed_times({ factor: number(speed, Number.isInteger(speed) ? 0 : speed === 0.25 ? 2 : 1) })
      : m.speed_max();
    return {
      id: `speed-${speed}`,
      title: m.speed_of({ speed: text }),
      run: () => void page.act({ type: 'speed', speed }),
    };
  });
}

function panelCommands({ view }: Page): Command[] {
  const toggle = (id: string, panel: string, shown: boolean, run: () => void): Command => ({
    id,
    title: shown ? m.panel_hide({ panel }) : m.panel_show({ panel }),
    run,
  });
  const { outline, inspector, centre } = view;
  const lower: [Exclude<LowerName, 'hooks'>, string][] = [
    ['conversation', m.conversation()],
    ['time', m.time()],
    ['files', m.files()],
  ];
  return [
    toggle('outline', m.outline(), outline.isShown, () => (outline.isShown = !outline.isShown)),
    toggle('inspector', m.inspector(), inspector.isShown, () => (inspector.isShown = !inspector.isShown)),
    toggle('loop', m.loop_title(), centre.hasLoop, () => (centre.hasLoop = !centre.hasLoop)),
    ...lower.map(([name, panel]) => ({
      id: `lower-${name}`,
      title: m.panel_show({ panel }),
      run: () => {
        centre.lower = name;
        view.panel = name;
      },
    })),
  ];
}

function dialogCommands({ view }: Page): Command[] {
  return [
    { id: 'sessions', title: m.sessions(), run: () => (view.dialog = 'sessions') },
    { id: 'endpoint', title: m.endpoint_title(), run: () => (view.dialog = 'endpoint') },
    { id: 'setup', title: m.setup_title(), run: () => (view.dialog = 'setup') },
    { id: 'hooks', title: m.hooks_title(), run: () => view.open('hooks') },
    { id: 'help', title: m.help_title(), keys: '?', run: () => (view.dialog = 'help') },
  ];
}

function lookCommands({ settings }: Page): Command[] {
  const themes: Record<Theme, () => string> = {
    system: m.theme_system,
    light: m.theme_light,
    dark: m.theme_dark,
  };
  // Each language names itself, whatever the page speaks.
  const names: Record<string, string> = { en: 'English', zh: '简体中文' };
  return [
    ...(Object.keys(themes) as Theme[]).map((theme) => ({
      id: `theme-${theme}`,
      title: m.theme_of({ theme: themes[theme]() }),
      run: () => (settings.theme = theme),
    })),
    ...locales.map((locale) => ({
      id: `language-${locale}`,
      title: m.command_language({ language: names[locale] ?? locale }),
      isRaw: true,
      run: () => (settings.locale = locale),
    })),
  ];
}

function sessionCommands(page: Page): Command[] {
  if (page.workerState === 'failed') return [];
  const { session, sessions, sessionActions, manual } = page;
  const { info } = session;
  return [
    ...(info
      ? [
          { id: 'again', title: m.new_scenario_session(), run: () => void page.newAgain() },
          { id: 'export', title: m.export_jsonl(), run: () => void sessionActions.save(info) },
          {
            id: 'save-scenario',
            title: m.save_scenario(),
            run: () => void sessionActions.save(info, 'scenario'),
          },
        ]
      : []),
    { id: 'manual', title: m.manual_begin(), run: () => void manual.begin() },
    ...shippedScenarios.map(({ id, title }) => ({
      id: `scenario-${id}`,
      title: m.scenario_menu({ title: title() }),
      run: () => void page.newFromShipped(id),
    })),
    ...sessions.all
      .filter(({ id }) => id !== info?.id)
      .map(({ id, title, updatedAt, state }) => ({
        id: `session-${id}`,
        title: m.command_session({ title }),
        isRaw: true,
        session: { updatedAt, runs: state === 'running' },
        run: () => void page.open(id),
      })),
  ];
}

/** Those whose titles have all the words, the ones that begin with them first. */
export function matching(commands: readonly Command[], typed: string): Command[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const begins = ({ title }: Command) => title.toLowerCase().startsWith(words[0] ?? '');
  const found = commands.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  return [...found.filter(begins), ...found.filter((command) => !begins(command))];
}
