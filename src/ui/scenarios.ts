/** The scenarios that ship, with titles and descriptions in the reader's language. */
import { m } from '../i18n';
import type { SessionInfo } from '../records/types';
import { shippedIds } from '../scenario/shipped';
import type { ShippedId } from '../scenario/shipped';
import type { Scenario } from '../scenario/types';
import { LazyModule } from './lib/lazy-module.svelte';

export interface ShippedScenario {
  id: string;
  title: () => string;
  /** Empty until it is loaded, which asking for it begins. */
  description: () => string;
}

const titles: Record<ShippedId, () => string> = {
  'one-turn': m.scenario_one_turn,
  'tool-loop': m.scenario_tool_loop,
  'parallel-tools': m.scenario_parallel_tools,
  'steering-mid-batch': m.scenario_steering,
  'follow-up': m.scenario_follow_up,
  'both-at-once': m.scenario_both,
  'bug-hunt': m.scenario_bug_hunt,
  'csv-question': m.scenario_csv_question,
  'cut-off': m.scenario_cut_off,
  'abort-and-go-on': m.scenario_abort_and_go_on,
  'provider-error': m.scenario_provider_error,
  'all-terminate': m.scenario_all_terminate,
  'blocked-call': m.scenario_blocked_call,
  'turn-hooks': m.scenario_turn_hooks,
  'tools-change': m.scenario_tools_change,
  'three-continues': m.scenario_three_continues,
};

/** What the scenario of a session is called, in the reader's language when it ships; `undefined` when it has none. */
export function scenarioTitle(info: SessionInfo | undefined): string | undefined {
  if (info?.scenario === undefined) return undefined;
  const shipped = shippedScenarios.find(({ id }) => id === info.scenarioId);
  return shipped?.title() ?? (info.scenario as Scenario).title;
}

const descriptions = new LazyModule(async () => (await import('./scenario-descriptions')).descriptions);

export const shippedScenarios: readonly ShippedScenario[] = shippedIds.map((id) => ({
  id,
  title: titles[id],
  description: () => descriptions.value?.[id]() ?? '',
}));
