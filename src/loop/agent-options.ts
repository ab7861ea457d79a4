import type { AgentInitialState, AgentState } from './agent-state';
import type { OnQueueChange } from './queue';
import type {
  AgentLoopConfig,
  AgentMessage,
  Hooks,
  Message,
  OnStep,
  QueueMode,
  SetTimer,
  StreamFn,
  StreamOptions,
  ToolExecutionMode,
  Update,
} from './types';

export interface AgentOptions extends Hooks {
  initialState?: AgentInitialState;
  streamFn: StreamFn;
  /** Keeps the roles system, user, assistant and toolResult when absent. */
  convertToLlm?: (messages: AgentMessage[]) => Message[] | Promise<Message[]>;
  prepareNextTurn?: (signal?: AbortSignal) => Promise<(Update & { messages?: AgentMessage[] }) | undefined>;
  /** `one-at-a-time` when absent. */
  steeringMode?: QueueMode;
  followUpMode?: QueueMode;
  /** `parallel` when absent. */
  toolExecution?: ToolExecutionMode;
  /** Goes to the stream function with each request. */
  streamOptions?: Omit<StreamOptions, 'signal' | 'reasoning'>;
  onStep?: OnStep;
  onQueueChange?: OnQueueChange;
  /** ms since the epoch. */
  now?: () => number;
  newId?: () => string;
  abortGraceMs?: number;
  streamAbortGraceMs?: number;
  setTimer?: SetTimer;
}

/** Options that the loop takes as they are. */
const PASSED_ON = [
  'transformContext',
  'getApiKey',
  'prepareRequest',
  'finishTurn',
  'beforeToolCall',
  'afterToolCall',
  'onStep',
  'now',
  'newId',
  'abortGraceMs',
  'streamAbortGraceMs',
  'setTimer',
] as const satisfies (keyof AgentOptions)[];

const LLM_ROLES: readonly string[] = [
  'system',
  'user',
  'assistant',
  'toolResult',
] satisfies Message['role'][];

/** What the loop is told when a run starts: later changes of the options or the state do not reach that run. */
export function loopConfig(
  options: AgentOptions,
  state: AgentState,
  toolExecution: ToolExecutionMode,
  signal: AbortSignal,
): AgentLoopConfig {
  const all: Readonly<Record<string, unknown>> = { ...options };
  const given = PASSED_ON.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const]));
  const config: AgentLoopConfig = {
    ...options.streamOptions,
    ...(Object.fromEntries(given) as Pick<AgentLoopConfig, (typeof PASSED_ON)[number]>),
    model: state.model,
    toolExecution,
    convertToLlm: options.convertToLlm ?? keepLlmRoles,
  };
  if (state.thinkingLevel !== 'off') config.reasoning = state.thinkingLevel;
  const { prepareNextTurn } = options;
  if (prepareNextTurn) config.prepareNextTurn = () => prepareNextTurn(signal);
  return config;
}

function keepLlmRoles(messages: AgentMessage[]): Message[] {
  return messages.filter((message): message is Message => LLM_ROLES.includes(message.role));
}
