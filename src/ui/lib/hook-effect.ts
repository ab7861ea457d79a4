/** What a hook did, in a few words. */
import { m } from '../../i18n';
import type { NoteNode } from '../../trace';

type HookNote = Extract<NoteNode['note'], { type: 'hook' }>;

/** The effect that a hook record tells of; what went wrong comes as it was said. */
export function hookEffect({ name, decision, rules }: HookNote): string {
  // A call that the person allowed goes on as if nobody had asked.
  if (!decision) return rules && name === 'beforeToolCall' ? m.hooks_did_ask() : m.hook_no_decision();
  const { error, block, reason, action, replaced = [], messages, thinkingLevel, terminate } = decision;
  if (error !== undefined) return error;
  if (block) return reason === undefined ? m.hook_blocked() : m.hooks_did_block({ reason });
  if (action) return action === 'end' ? m.hook_ends() : m.hook_continues();
  if (thinkingLevel) return m.hooks_did_level({ level: thinkingLevel });
  if (messages !== undefined)
    return replaced.includes('messages')
      ? m.hooks_did_limit({ count: messages })
      : m.hooks_did_append({ count: messages });
  if (replaced.includes('args')) return m.hooks_did_arguments();
  if (name === 'afterToolCall' && replaced.length > 0) return m.hooks_did_rewrite();
  if (terminate) return m.hooks_did_terminate();
  return m.hook_changed();
}
