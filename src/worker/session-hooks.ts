/** The hooks of a session: its rules as they stand, and the person's permission for what reaches out. */
import { createHooks } from '../hooks';
import type { Consulted, HookRule, RuleHooks } from '../hooks';
import type { AgentOptions } from '../loop';
import type { CallInfo, LoopStep } from '../loop/types';
import type { Asks } from './asks';
import { fetchSubject } from './fetch-permission';

export interface SessionHooksOptions {
  /** Read anew each time a hook is asked: they change during a run. */
  rules: () => readonly HookRule[];
  /** How often each rule, by its id, applied before. */
  counts: Map<string, number>;
  /** Read anew after each turn. */
  requestLimit: () => number | undefined;
  asks: Asks;
  /** ms since the epoch. */
  now: () => number;
  /** The id of a call that a hook is asked about. */
  idOf: (call: CallInfo) => string | undefined;
  /** Whether the tool of this name really works, and is not written down by a scenario. */
  isReal: (name: string) => boolean;
  samplesUrl: string | undefined;
}

type HookStep = LoopStep & { type: 'hook' };

export interface SessionHooks {
  /** For an Agent: all hooks, since a rule may need any of them before the run is over. */
  ofRuns: Partial<AgentOptions>;
  /** For calls that code makes. */
  ofNested: Pick<RuleHooks, 'beforeToolCall' | 'afterToolCall'>;
  /** What the rules had to do with the asking that a step tells of; `toolCallId` is what the call's maker named it. Once for each step. */
  consultedFor: (step: HookStep, toolCallId: string | undefined) => Consulted | undefined;
  /** A run is over: no step will tell of it any more. */
  runEnded: () => void;
}

export function sessionHooks(options: SessionHooksOptions): SessionHooks {
  const { rules, counts, asks, now, idOf, requestLimit } = options;
  const common = {
    ask: (subject: Parameters<Asks['permission']>[0], signal: AbortSignal | undefined, call: CallInfo) =>
      asks.permission(subject, signal, idOf(call)),
    permit: (...call: [CallInfo, AbortSignal | undefined]) => permit(options, ...call),
    now,
    counts,
    requestLimit,
  };
  // A hook answers, and then its step is told: in the same order, among those of the same call.
  const told: { of: string; what: Consulted }[] = [];
  const hooks = createHooks(rules, {
    ...common,
    consulted: (what, call) => told.push({ of: askingOf(what.hook, call?.toolCall.id), what }),
  });
  const { prepareNextTurn, ...others } = hooks;
  // An Agent's hook gets no turn; that of the rules needs none.
  const append = prepareNextTurn as AgentOptions['prepareNextTurn'] & object;
  return {
    ofRuns: { ...others, prepareNextTurn: append },
    ofNested: hooks,
    consultedFor: ({ name }, toolCallId) => {
      const of = askingOf(name, toolCallId);
      const at = told.findIndex((entry) => entry.of === of);
      return at === -1 ? undefined : told.splice(at, 1)[0]?.what;
    },
    runEnded: () => void told.splice(0),
  };
}

function askingOf(hook: string, toolCallId = ''): string {
  return `${hook} ${toolCallId}`;
}

/** Why the call may not run. */
async function permit(
  { asks, isReal, idOf, samplesUrl }: SessionHooksOptions,
  call: CallInfo,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (call.toolCall.name !== 'fetch' || !isReal('fetch')) return undefined;
  const subject = fetchSubject(call.args, samplesUrl);
  if (!subject?.fetch || (await asks.permission(subject, signal, idOf(call)))) return undefined;
  const { kind, origin } = subject.fetch;
  return `The person did not allow fetch to ${kind === 'read' ? 'read from' : 'send to'} ${origin}.`;
}
