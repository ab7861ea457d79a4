import type { AgentLoopConfig, CallInfo, Hooks, ToolResult, Turn, Update, UserMessage } from '../loop/types';
import { limitContext } from './limit-context';
import { Rules } from './rules';
import type { HookOptions, HookRule } from './types';

export type RuleHooks = Pick<
  Hooks,
  'transformContext' | 'prepareRequest' | 'finishTurn' | 'beforeToolCall' | 'afterToolCall'
> &
  Pick<AgentLoopConfig, 'prepareNextTurn'>;

/**
 * The hooks that do what the rules say. Only hooks that some rule needs now are there, so that a trace shows no idle ones;
 * given as a function, the rules are read anew each time, and may change within those hooks.
 */
export function createHooks(
  given: readonly HookRule[] | (() => readonly HookRule[]),
  options: HookOptions,
): RuleHooks {
  const rules = new Rules(
    typeof given === 'function' ? given : () => given,
    options.counts ?? new Map<string, number>(),
  );
  const hooks: RuleHooks = {};
  if (rules.has('block') || rules.has('ask') || options.permit) {
    hooks.beforeToolCall = (call, signal) => judge(rules, call, signal, options);
  }
  if (rules.has('rewrite')) hooks.afterToolCall = (call) => Promise.resolve(rewrite(rules, call));
  if (rules.has('finishTurn') || options.requestLimit !== undefined) {
    hooks.finishTurn = (turn) => Promise.resolve(finish(rules, turn, options.requestLimit));
  }
  if (rules.has('append')) hooks.prepareNextTurn = () => Promise.resolve(append(rules, options.now));
  if (rules.has('thinkingLevel')) {
    hooks.prepareRequest = ({ thinkingLevel }) => Promise.resolve(changeLevel(rules, thinkingLevel));
  }
  if (rules.has('limitContext')) {
    hooks.transformContext = (messages) => {
      const keep = [...rules.applying('limitContext')].map((rule) => rule.keep);
      return Promise.resolve(keep.length > 0 ? limitContext(messages, Math.min(...keep)) : messages);
    };
  }
  return hooks;
}

type Judgement = { block: true; reason: string; terminate?: boolean } | undefined;

/** Blocks first: nobody is asked about a call that may not run anyway. */
async function judge(
  rules: Rules,
  call: CallInfo,
  signal: AbortSignal | undefined,
  { ask, permit }: HookOptions,
): Promise<Judgement> {
  let blocked: Judgement;
  for (const rule of rules.applying('block', call)) {
    blocked ??= {
      block: true,
      reason: rule.reason ?? `A rule does not allow ${call.toolCall.name} with these arguments.`,
      ...(rule.terminate ? { terminate: true } : {}),
    };
  }
  if (blocked) return blocked;
  for (const rule of rules.applying('ask', call)) {
    // A copy: what is asked about goes to the page, and must be what then runs.
    const subject = { toolName: call.toolCall.name, args: structuredClone(call.args) };
    const allowed = await ask(
      rule.text === undefined ? subject : { ...subject, text: rule.text },
      signal,
      call,
    );
    if (!allowed)
      return { block: true, reason: `The person did not allow this call of ${call.toolCall.name}.` };
  }
  const refusal = await permit?.(call, signal);
  return refusal === undefined ? undefined : { block: true, reason: refusal };
}

/** Rules that come later win, field by field. */
function rewrite(rules: Rules, call: CallInfo): Partial<ToolResult> | undefined {
  const result: Partial<ToolResult> = {};
  for (const { text, isError, terminate } of rules.applying('rewrite', call)) {
    if (text !== undefined) result.content = [{ type: 'text', text }];
    if (isError !== undefined) result.isError = isError;
    if (terminate !== undefined) result.terminate = terminate;
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

/** An end wins over a continue, whichever rule comes first. */
function finish(
  rules: Rules,
  { message, newMessages }: Turn,
  requestLimit = Infinity,
): { action: 'end' | 'continue' } | undefined {
  // The loop ignores a decision after a failure: the rule keeps its time for a turn that counts.
  if (message.stopReason === 'error' || message.stopReason === 'aborted') return undefined;
  const actions = [...rules.applying('finishTurn')].map((rule) => rule.action);
  const requests = newMessages.filter((added) => added.role === 'assistant').length;
  if (actions.includes('end') || requests >= requestLimit) return { action: 'end' };
  return actions.length > 0 ? { action: 'continue' } : undefined;
}

function append(rules: Rules, now: () => number): { messages: UserMessage[] } | undefined {
  const messages = [...rules.applying('append')].map((rule): UserMessage => ({
    role: 'user',
    content: rule.text,
    timestamp: now(),
  }));
  return messages.length > 0 ? { messages } : undefined;
}

function changeLevel(rules: Rules, current: Update['thinkingLevel']): Update | undefined {
  const level = [...rules.applying('thinkingLevel')].at(-1)?.level;
  return level === undefined || level === current ? undefined : { thinkingLevel: level };
}
