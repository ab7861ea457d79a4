/** The scenarios that ship, with titles and descriptions in the reader's language. */
import { m } from '../i18n';
import { shippedIds } from '../scenario/shipped';
import type { ShippedId } from '../scenario/shipped';

export interface ShippedScenario {
  id: string;
  title: () => string;
  description: () => string;
}

const texts: Record<ShippedId, Omit<ShippedScenario, 'id'>> = {
  'one-turn': { title: m.scenario_one_turn, description: m.scenario_one_turn_text },
  'tool-loop': { title: m.scenario_tool_loop, description: m.scenario_tool_loop_text },
  'parallel-tools': { title: m.scenario_parallel_tools, description: m.scenario_parallel_tools_text },
  'steering-mid-batch': { title: m.scenario_steering, description: m.scenario_steering_text },
  'follow-up': { title: m.scenario_follow_up, description: m.scenario_follow_up_text },
  'both-at-once': { title: m.scenario_both, description: m.scenario_both_text },
  'bug-hunt': { title: m.scenario_bug_hunt, description: m.scenario_bug_hunt_text },
  'csv-question': { title: m.scenario_csv_question, description: m.scenario_csv_question_text },
  'cut-off': { title: m.scenario_cut_off, description: m.scenario_cut_off_text },
  'abort-and-go-on': { title: m.scenario_abort_and_go_on, description: m.scenario_abort_and_go_on_text },
  'provider-error': { title: m.scenario_provider_error, description: m.scenario_provider_error_text },
  'all-terminate': { title: m.scenario_all_terminate, description: m.scenario_all_terminate_text },
  'blocked-call': { title: m.scenario_blocked_call, description: m.scenario_blocked_call_text },
  'turn-hooks': { title: m.scenario_turn_hooks, description: m.scenario_turn_hooks_text },
  'tools-change': { title: m.scenario_tools_change, description: m.scenario_tools_change_text },
  'three-continues': { title: m.scenario_three_continues, description: m.scenario_three_continues_text },
};

export const shippedScenarios: readonly ShippedScenario[] = shippedIds.map((id) => ({ id, ...texts[id] }));
