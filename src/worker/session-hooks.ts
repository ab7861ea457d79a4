/** The hooks of a session: its scenario's rules, and the person's permission for what reaches out. */
import { createHooks } from '../hooks';
import type { RuleHooks } from '../hooks';
import type { AgentOptions } from '../loop';
import type { CallInfo } from '../loop/types';
import type { Asks } from './asks';
import { fetchSubject } from './fetch-permission';
import type { SessionPlan } from './plan';

export interface SessionHooksOptions {
  plan: SessionPlan;
  asks: Asks;
  /** ms since the epoch. */
  now: () => number;
  /** The id of a call that a hook is asked about. */
  idOf: (call: CallInfo) => string | undefined;
  /** Whether the tool of this name really works, and is not written down by a scenario. */
  isReal: (name: string) => boolean;
  /** Whether a run that begins now has a tool of this name. */
  hasTool: (name: string) => boolean;
  samplesUrl: string | undefined;
}

export interface SessionHooks {
  /** For an Agent. `beforeToolCall` is there for runs that need it: else it would only fill the trace. */
  ofRuns: Partial<AgentOptions>;
  /** For calls that code makes. */
  ofNested: Pick<RuleHooks, 'beforeToolCall' | 'afterToolCall'>;
  /** Whether `beforeToolCall` has anything to judge of calls of that tool. */
  judges: (toolName: string) => boolean;
}

export function sessionHooks(options: SessionHooksOptions): SessionHooks {
  const { plan, asks, now, idOf, hasTool } = options;
  const rules = plan.scenario?.rules ?? [];
  const { requestLimit } = plan;
  const common = {
    ask: (subject: Parameters<Asks['permission']>[0], signal: AbortSignal | undefined, call: CallInfo) =>
      asks.permission(subject, signal, idOf(call)),
    now,
    counts: new Map<string, number>(),
    ...(requestLimit === undefined ? {} : { requestLimit }),
  };
  const { beforeToolCall, prepareNextTurn, ...others } = createHooks(rules, common);
  const ofNested = createHooks(rules, { ...common, permit: (...call) => permit(options, ...call) });
  // An Agent's hook gets no turn; that of the rules needs none.
  const append = prepareNextTurn as AgentOptions['prepareNextTurn'] & object;
  const ofRuns = Object.defineProperty(
    { ...others, ...(prepareNextTurn ? { prepareNextTurn: append } : {}) },
    'beforeToolCall',
    { enumerable: true, get: () => (hasTool('fetch') ? ofNested.beforeToolCall : beforeToolCall) },
  );
  return { ofRuns, ofNested, judges: (name) => beforeToolCall !== undefined || name === 'fetch' };
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
