import type {
  AgentLoopConfig,
  AgentMessage,
  CallInfo,
  Hooks,
  ToolResult,
  Turn,
  Update,
  UserMessage,
} from '../loop/types';
import { limitContext } from './limit-context';
import { Rules } from './rules';
import type { Asking } from './rules';
import type { Consulted, HookOptions, HookRule } from './types';

export type RuleHooks = Pick<
  Hooks,
  'transformContext' | 'prepareRequest' | 'finishTurn' | 'beforeToolCall' | 'afterToolCall'
> &
  Pick<AgentLoopConfig, 'prepareNextTurn'>;

type Kind = HookRule['rule'];

/**
 * The hooks that do what the rules say. Given as a list, only hooks that some rule needs are there. Given as a function, all
 * are, and the rules are read anew each time a hook is asked: `consulted` tells which askings were idle.
 */
export function createHooks(
  given: readonly HookRule[] | (() => readonly HookRule[]),
  options: HookOptions,
): RuleHooks {
  const isFixed = typeof given !== 'function';
  const rules = new Rules(isFixed ? () => given : given, options.counts ?? new Map<string, number>());
  const { permit, requestLimit } = options;
  const needs = (kinds: Kind[], other = false) => !isFixed || other || kinds.some((kind) => rules.has(kind));
  const consult = consulting(rules, options);
  const hooks: RuleHooks = {};
  if (needs(['block', 'ask'], permit !== undefined)) {
    hooks.beforeToolCall = (call, signal) =>
      consult('beforeToolCall', (asking) => judge(rules, asking, call, signal, options), call);
  }
  if (needs(['rewrite'])) {
    hooks.afterToolCall = (call) => consult('afterToolCall', (asking) => rewrite(rules, asking, call), call);
  }
  if (needs(['finishTurn'], requestLimit !== undefined)) {
    hooks.finishTurn = (turn) =>
      consult('finishTurn', (asking) => finish(rules, asking, turn, requestLimit?.()));
  }
  if (needs(['append'])) {
    hooks.prepareNextTurn = () => consult('prepareNextTurn', (asking) => append(rules, asking, options.now));
  }
  if (needs(['thinkingLevel'])) {
    hooks.prepareRequest = ({ thinkingLevel }) =>
      consult('prepareRequest', (asking) => changeLevel(rules, asking, thinkingLevel));
  }
  if (needs(['limitContext'])) {
    hooks.transformContext = (messages) =>
      consult('transformContext', (asking) => limit(rules, asking, messages));
  }
  return hooks;
}

const kindsOf: Record<Consulted['hook'], Kind[]> = {
  beforeToolCall: ['block', 'ask'],
  afterToolCall: ['rewrite'],
  finishTurn: ['finishTurn'],
  prepareNextTurn: ['append'],
  prepareRequest: ['thinkingLevel'],
  transformContext: ['limitContext'],
};

/** Asks the rules for an answer, and tells afterwards which of them acted. */
function consulting(rules: Rules, { consulted, requestLimit }: HookOptions) {
  return async <T>(
    hook: Consulted['hook'],
    answer: (asking: Asking) => Promise<T> | T,
    call?: CallInfo,
  ): Promise<T> => {
    const asking: Asking = { reached: [], acted: [] };
    const judged =
      kindsOf[hook].some((kind) => rules.has(kind)) ||
      (hook === 'finishTurn' && requestLimit?.() !== undefined);
    try {
      return await answer(asking);
    } finally {
      const { acted } = asking;
      const counted = asking.reached.filter((rule) => !acted.includes(rule));
      consulted?.({ hook, judged, acted, counted }, call);
    }
  };
}

type Judgement = { block: true; reason: string; terminate?: boolean } | undefined;

/** Blocks first: nobody is asked about a call that may not run anyway. */
async function judge(
  rules: Rules,
  asking: Asking,
  call: CallInfo,
  signal: AbortSignal | undefined,
  { ask, permit }: HookOptions,
): Promise<Judgement> {
  let blocked: Judgement;
  for (const rule of rules.applying('block', asking, call)) {
    asking.acted.push(rule.id);
    blocked ??= {
      block: true,
      reason: rule.reason ?? `A rule does not allow ${call.toolCall.name} with these arguments.`,
      ...(rule.terminate ? { terminate: true } : {}),
    };
  }
  if (blocked) return blocked;
  for (const rule of rules.applying('ask', asking, call)) {
    asking.acted.push(rule.id);
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
function rewrite(rules: Rules, asking: Asking, call: CallInfo): Partial<ToolResult> | undefined {
  const result: Partial<ToolResult> = {};
  for (const { id, text, isError, terminate } of rules.applying('rewrite', asking, call)) {
    asking.acted.push(id);
    if (text !== undefined) result.content = [{ type: 'text', text }];
    if (isError !== undefined) result.isError = isError;
    if (terminate !== undefined) result.terminate = terminate;
  }
  return Object.keys(result).length > 0 ? result : undefined;
}

/** An end wins over a continue, whichever rule comes first. */
function finish(
  rules: Rules,
  asking: Asking,
  { message, newMessages }: Turn,
  requestLimit = Infinity,
): { action: 'end' | 'continue' } | undefined {
  // The loop ignores a decision after a failure: the rule keeps its time for a turn that counts.
  if (message.stopReason === 'error' || message.stopReason === 'aborted') return undefined;
  const applying = [...rules.applying('finishTurn', asking)];
  const requests = newMessages.filter((added) => added.role === 'assistant').length;
  const ends = requests >= requestLimit || applying.some((rule) => rule.action === 'end');
  if (!ends && applying.length === 0) return undefined;
  const action = ends ? 'end' : 'continue';
  asking.acted.push(...idsOf(applying.filter((rule) => rule.action === action)));
  return { action };
}

function append(rules: Rules, asking: Asking, now: () => number): { messages: UserMessage[] } | undefined {
  const applying = [...rules.applying('append', asking)];
  asking.acted.push(...idsOf(applying));
  const messages = applying.map((rule): UserMessage => ({
    role: 'user',
    content: rule.text,
    timestamp: now(),
  }));
  return messages.length > 0 ? { messages } : undefined;
}

function changeLevel(rules: Rules, asking: Asking, current: Update['thinkingLevel']): Update | undefined {
  const last = [...rules.applying('thinkingLevel', asking)].at(-1);
  if (!last || last.level === current) return undefined;
  asking.acted.push(last.id);
  return { thinkingLevel: last.level };
}

function limit(rules: Rules, asking: Asking, messages: AgentMessage[]): AgentMessage[] {
  const applying = [...rules.applying('limitContext', asking)];
  if (applying.length === 0) return messages;
  const keep = Math.min(...applying.map((rule) => rule.keep));
  const kept = limitContext(messages, keep);
  if (kept.length < messages.length)
    asking.acted.push(...idsOf(applying.filter((rule) => rule.keep === keep)));
  return kept;
}

function idsOf(rules: readonly HookRule[]): string[] {
  return rules.map(({ id }) => id);
}
