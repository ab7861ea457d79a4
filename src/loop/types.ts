/** The loop's public shapes: messages, models' streams, tools, hooks, events and steps. */

export type StopReason = 'pending' | 'stop' | 'length' | 'toolUse' | 'error' | 'aborted';
export type ThinkingLevel = 'off' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';
export type QueueMode = 'one-at-a-time' | 'all';
export type QueueName = 'steering' | 'followUp';
export type ToolExecutionMode = 'parallel' | 'sequential';

export interface Text {
  type: 'text';
  text: string;
}
export interface Thinking {
  type: 'thinking';
  thinking: string;
  /** What the provider needs back in later requests: the field it came in, and the provider's own items. */
  replay?: { field: string; items?: unknown[] };
}
export interface Image {
  type: 'image';
  /** base64, without a data: prefix. */
  data: string;
  mimeType: string;
}
export interface ToolCall {
  type: 'toolCall';
  /** The provider's id: it may come twice. Our own id of a call is `callId` in events. */
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  /** Set when the argument text was no JSON object or was cut off; such a call never runs. */
  argumentsError?: string;
  /** The argument text needed repair before it could be read. */
  argumentsRepaired?: boolean;
}

/** Tokens, and their cost in the currency of the model's price list. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  totalTokens: number;
  reasoning?: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

/** What a model is told of a tool. `parameters` is a JSON Schema of an object. */
export interface ToolDeclaration {
  name: string;
  description: string;
  parameters: object;
}

/**
 * A leading system message declares prompt and tools; later ones are patches: `content` adds, `sections`
 * replace by name (`null` removes), `toolsAdded` and `toolsRemoved` change what is declared.
 */
export interface SystemMessage {
  role: 'system';
  content: string | Text[];
  /** ms since the epoch, as in all messages. */
  timestamp: number;
  sections?: Record<string, string | null>;
  toolsAdded?: ToolDeclaration[];
  toolsRemoved?: { name: string }[];
}
export interface UserMessage {
  role: 'user';
  content: string | (Text | Image)[];
  timestamp: number;
}
export interface AssistantMessage {
  role: 'assistant';
  content: (Text | Thinking | ToolCall)[];
  api: string;
  provider: string;
  model: string;
  usage: Usage;
  stopReason: StopReason;
  rawStopReason?: string;
  errorMessage?: string;
  /** What went wrong, for whoever writes the sentence in the person's language; `errorMessage` stays English. */
  errorCode?: string;
  errorParams?: Record<string, string | number>;
  thinkingLevel?: ThinkingLevel;
  timestamp: number;
}
export interface ToolResultMessage {
  role: 'toolResult';
  toolCallId: string;
  toolName: string;
  content: (Text | Image)[];
  details?: unknown;
  usage?: Usage;
  isError: boolean;
  /** Only of a call that ran. */
  durationMs?: number;
  timestamp: number;
}
export type Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage;
/** A role of the host's own: it stays in the transcript, and the default `convertToLlm` keeps it from models. */
export interface CustomMessage {
  role: string;
  timestamp: number;
}
export type AgentMessage = Message | CustomMessage;

export interface Model {
  id: string;
  name: string;
  api: string;
  provider: string;
  baseUrl: string;
  reasoning: boolean;
  input: ('text' | 'image')[];
  /** Per million tokens. */
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number };
  contextWindow: number;
  maxTokens: number;
  compat?: ModelCompat;
}

/** Where an OpenAI-compatible server differs; what is absent follows from the base URL or the common case. */
export interface ModelCompat {
  /** The system message of a reasoning model goes out with the role `developer`. */
  supportsDeveloperRole?: boolean;
  /** System messages may stand behind the first message; else they are folded into the first. */
  supportsSystemMidway?: boolean;
  maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  supportsUsageInStreaming?: boolean;
  /** False: a stream of this server that ends without a finish reason is whole. */
  supportsFinishReason?: boolean;
  /** Finish reasons of the server's own. */
  finishReasons?: Record<string, 'stop' | 'length' | 'toolUse' | 'error'>;
  /** How thinking is asked for. */
  thinkingFormat?: 'openai' | 'openrouter' | 'qwen' | 'chatTemplate' | 'zai' | 'none';
  /** False: thinking is never sent back. */
  supportsThinkingReplay?: boolean;
  requiresToolResultName?: boolean;
  /** Ids of calls have exactly this many letters and digits. */
  toolCallIdLength?: number;
}

declare const normalized: unique symbol;
/** What a stream function gets: prompt and tools are system messages in the list. Made by `normalizeContext` alone. */
export interface TranscriptContext {
  readonly messages: Message[];
  readonly [normalized]: true;
}

/** What a stream function yields. `partial` is the live message so far, shared between events. */
export type AssistantMessageEvent =
  | { type: 'start'; partial: AssistantMessage }
  | {
      type: 'text_start' | 'thinking_start' | 'toolcall_start';
      contentIndex: number;
      partial: AssistantMessage;
    }
  | {
      type: 'text_delta' | 'thinking_delta' | 'toolcall_delta';
      contentIndex: number;
      delta: string;
      partial: AssistantMessage;
    }
  | { type: 'text_end' | 'thinking_end'; contentIndex: number; content: string; partial: AssistantMessage }
  | { type: 'toolcall_end'; contentIndex: number; toolCall: ToolCall; partial: AssistantMessage }
  | { type: 'done'; reason: 'stop' | 'length' | 'toolUse'; message: AssistantMessage }
  | { type: 'error'; reason: 'error' | 'aborted'; error: AssistantMessage };

export interface AssistantMessageEventStream extends AsyncIterable<AssistantMessageEvent> {
  /** The final message. Never rejects. */
  result(): Promise<AssistantMessage>;
}

/** One HTTP attempt of a model client. */
export interface HttpAttempt {
  /** From 1. */
  attempt: number;
  status?: number;
  /** ms until the next attempt; absent when there is none. */
  waitMs?: number;
  error?: string;
}

export interface StreamOptions {
  signal?: AbortSignal;
  apiKey?: string;
  /** Absent means off. */
  reasoning?: ThinkingLevel;
  fetch?: typeof fetch;
  maxRetries?: number;
  maxRetryDelayMs?: number;
  /** How long a stream may be silent: ms; two minutes when absent, five before its first byte. */
  idleTimeoutMs?: number;
  /** While it says true, silence is not counted. */
  isPaused?: () => boolean;
  temperature?: number;
  /** Limit of output tokens. */
  maxTokens?: number;
  /** Fields of the person's own, added to the HTTP body. */
  extraBody?: Record<string, unknown>;
  /** A failed answer leaves a short note in the request instead of nothing. */
  tellFailures?: boolean;
  onHttp?: (attempt: HttpAttempt) => void;
}

/** Never throws and never rejects: a failure is a final message with stopReason `error` or `aborted`. */
export type StreamFn = (
  model: Model,
  context: TranscriptContext,
  options: StreamOptions,
) => AssistantMessageEventStream | Promise<AssistantMessageEventStream>;

export interface ToolResult {
  content: (Text | Image)[];
  details?: unknown;
  structuredContent?: unknown;
  usage?: Usage;
  isError?: boolean;
  /** When every result of a batch says so, the inner loop stops after it. */
  terminate?: boolean;
}

export interface AgentTool extends ToolDeclaration {
  label: string;
  executionMode?: ToolExecutionMode;
  prepareArguments?: (raw: unknown) => Record<string, unknown>;
  /** What it throws becomes an error result. */
  execute: (
    toolCallId: string,
    args: Record<string, unknown>,
    signal?: AbortSignal,
    onUpdate?: (partial: ToolResult) => void,
  ) => Promise<ToolResult>;
}

export interface AgentContext {
  messages: AgentMessage[];
  /** What can run; the transcript's system messages say what is declared. */
  tools?: AgentTool[];
}

/** Where a message came from. */
export type MessageOrigin =
  'prompt' | 'steering' | 'followUp' | 'prepareNextTurn' | 'tools' | 'model' | 'toolResult' | 'failure';

interface RunEvent {
  runId: string;
}
interface TurnEvent extends RunEvent {
  turnId: string;
}
/** `turnId` is absent for the prompts' messages only if they come before a turn; today all messages are in a turn. */
interface MessageEvent extends TurnEvent {
  messageId: string;
}
interface CallEvent extends TurnEvent {
  /** The assistant message that asked for the call, and the index of the call in its content. */
  messageId: string;
  contentIndex: number;
  callId: string;
  toolCallId: string;
  toolName: string;
}

/** What the loop tells its sink, in order; the sink is awaited. */
export type AgentEvent =
  | ({ type: 'agent_start' } & RunEvent)
  | ({ type: 'agent_end'; messages: AgentMessage[] } & RunEvent)
  | ({ type: 'turn_start' } & TurnEvent)
  | ({ type: 'turn_end'; message: AssistantMessage; toolResults: ToolResultMessage[] } & TurnEvent)
  | ({ type: 'message_start'; message: AgentMessage; origin: MessageOrigin; callId?: string } & MessageEvent)
  | ({ type: 'message_end'; message: AgentMessage; origin: MessageOrigin; callId?: string } & MessageEvent)
  | ({
      type: 'message_update';
      message: AssistantMessage;
      assistantMessageEvent: AssistantMessageEvent;
    } & MessageEvent)
  /** `args` are the model's own, before preparation. */
  | ({ type: 'tool_execution_start'; args: unknown } & CallEvent)
  | ({ type: 'tool_execution_update'; args: unknown; partialResult: ToolResult } & CallEvent)
  | ({ type: 'tool_execution_end'; result: ToolResult; isError: boolean; durationMs?: number } & CallEvent);

/**
 * Where the loop is and why it goes on. Polls: `start` (of a run), `prepare` (before a turn but the first, when
 * nothing was pending), `turnEnd`, `stop` (follow-ups, when the inner loop ended).
 */
export type LoopStep = { runId: string; turnId?: string } & (
  | { type: 'poll'; queue: QueueName; at: 'start' | 'prepare' | 'turnEnd' | 'stop'; count: number }
  /** What joins the context now, by origin. */
  | { type: 'inject'; prepared: number; pending: number; tools: boolean }
  /** The request as it goes to the stream function. */
  | {
      type: 'request';
      messageId: string;
      model: Model;
      thinkingLevel: ThinkingLevel;
      context: TranscriptContext;
    }
  | {
      type: 'batch';
      mode: 'parallel' | 'sequential' | 'refused';
      why: 'default' | 'config' | 'tool' | 'length';
      calls: number;
      /** The tool that made the batch sequential. */
      toolName?: string;
    }
  /** The call runs now, with the arguments that really run. */
  | { type: 'execute'; callId: string; toolCallId: string; toolName: string; args: Record<string, unknown> }
  | {
      type: 'hook';
      name: keyof Hooks | 'prepareNextTurn';
      decision?: HookDecision;
      durationMs: number;
      callId?: string;
    }
  | {
      type: 'decide';
      loop: 'inner' | 'outer';
      go: boolean;
      /** The stop reason of the turn's message, the results of its batch, whether the batch asks for a request
       *  (false when every result terminated), what is pending, and what finishTurn said. */
      values: {
        stopReason: StopReason;
        toolResults: number;
        terminated: boolean;
        pending: number;
        followUps?: number;
        finishTurn?: 'continue' | 'end';
      };
    }
);

/** What a hook decided, as plain data without messages: `undefined` when it changed nothing. */
export interface HookDecision {
  block?: boolean;
  reason?: string;
  terminate?: boolean;
  action?: 'continue' | 'end';
  /** Names of what was replaced: context, model, thinkingLevel, args, content, details, isError, usage, messages. */
  replaced?: string[];
  /** How many messages prepareNextTurn appends, or the length of the list that transformContext gave. */
  messages?: number;
  thinkingLevel?: ThinkingLevel;
  error?: string;
}

export interface Turn {
  message: AssistantMessage;
  toolResults: ToolResultMessage[];
  context: AgentContext;
  /** What this run has added so far. */
  newMessages: AgentMessage[];
}
/** Stays for the rest of the run. */
export interface Update {
  context?: AgentContext;
  model?: Model;
  thinkingLevel?: ThinkingLevel;
}
export interface CallInfo {
  assistantMessage: AssistantMessage;
  toolCall: ToolCall;
  /** A validated copy; a hook may change it in place, and it is not validated again. */
  args: Record<string, unknown>;
  context: AgentContext;
}

/** A hook other than beforeToolCall and afterToolCall that throws ends the run with a failure message. */
export interface Hooks {
  transformContext?(messages: AgentMessage[], signal?: AbortSignal): Promise<AgentMessage[]>;
  getApiKey?(provider: string): Promise<string | undefined> | string | undefined;
  prepareRequest?(
    request: { context: AgentContext; model: Model; thinkingLevel: ThinkingLevel },
    signal?: AbortSignal,
  ): Promise<Update | undefined>;
  finishTurn?(turn: Turn, signal?: AbortSignal): Promise<{ action: 'continue' | 'end' } | undefined>;
  beforeToolCall?(
    call: CallInfo,
    signal?: AbortSignal,
  ): Promise<{ block?: boolean; reason?: string; terminate?: boolean } | undefined>;
  afterToolCall?(
    call: CallInfo & { result: ToolResult; isError: boolean },
    signal?: AbortSignal,
  ): Promise<Partial<ToolResult> | undefined>;
}

export type OnStep = (step: LoopStep) => void | Promise<void>;

export interface AgentLoopConfig extends Hooks, StreamOptions {
  model: Model;
  toolExecution?: ToolExecutionMode;
  convertToLlm(messages: AgentMessage[]): Message[] | Promise<Message[]>;
  prepareNextTurn?(turn: Turn): Promise<(Update & { messages?: AgentMessage[] }) | undefined>;
  getSteeringMessages?(): Promise<AgentMessage[]>;
  getFollowUpMessages?(): Promise<AgentMessage[]>;
  /** Awaited, so that a debugger can hold the loop at any step. Without it the loop does no extra awaits. */
  onStep?: OnStep;
  /** ms since the epoch. */
  now?: () => number;
  newId?: () => string;
  /** How long after an abort a tool that ignores the signal may still settle by itself: ms, 2000 when absent. */
  abortGraceMs?: number;
  /** The same for a model's stream: ms, 500 when absent. */
  streamAbortGraceMs?: number;
  setTimer?: SetTimer;
}

/** Calls back after `ms` unless the function it returns is called before; `setTimeout` when absent. */
export type SetTimer = (ms: number, callback: () => void) => () => void;

export type Emit = (event: AgentEvent) => Promise<void> | void;

/** A queued message: its id is ours and stays when it is edited, reordered or moved. */
export interface QueuedMessage {
  readonly id: string;
  readonly message: AgentMessage;
}
export type QueueChange = 'enqueue' | 'drain' | 'remove' | 'edit' | 'reorder' | 'move' | 'clear';
