/** What the shipped scenarios show, in the reader's language. No first paint waits for it. */
import { m } from '../i18n';
import type { ShippedId } from '../scenario/shipped';

export const descriptions: Record<ShippedId, () => string> = {
  'one-turn': m.scenario_one_turn_text,
  'tool-loop': m.scenario_tool_loop_text,
  'parallel-tools': m.scenario_parallel_tools_text,
  'steering-mid-batch': m.scenario_steering_text,
  'follow-up': m.scenario_follow_up_text,
  'both-at-once': m.scenario_both_text,
  'bug-hunt': m.scenario_bug_hunt_text,
  'csv-question': m.scenario_csv_question_text,
  'cut-off': m.scenario_cut_off_text,
  'abort-and-go-on': m.scenario_abort_and_go_on_text,
  'provider-error': m.scenario_provider_error_text,
  'all-terminate': m.scenario_all_terminate_text,
  'blocked-call': m.scenario_blocked_call_text,
  'turn-hooks': m.scenario_turn_hooks_text,
  'tools-change': m.scenario_tools_change_text,
  'three-continues': m.scenario_three_continues_text,
};
