/**
 * The trace: an append-only list of records, the one truth of a session. Every view is a fold of them.
 *
 * Linear, always: a text travels once. What deltas carried is not repeated by `message_end`, what a call's end
 * carried is not repeated by its result message, and lists are told as changes.
 */
import type {
  AgentEvent,
  CustomMessage,
  HookDecision,
  LoopStep,
  MessageOrigin,
  QueueChange,
  QueueMode,
  QueueName,
  StopReason,
  SystemMessage,
  Text,
  Thinking,
  ThinkingLevel,
  ToolCall,
  ToolExecutionMode,
  Usage,
} from '../loop/types';

/** A place in the loop's own events, counted from the session's start, before any joining of deltas. */
export interface LoopPosition {
  event: AgentEvent['type'];
  /** From 1; with `tool`, the nth event of that type for that tool. */
  nth: number;
  tool?: string;
}

/** SHA-256 of a blob's bytes, in hex. */
export type BlobHash = string;
/** File contents and images of over 4 KB are blobs, stored once by their hash. */
export type FileContent = { text: string } | { blob: BlobHash; bytes: number; binary: boolean };
export interface BlobImage {
  type: 'image';
  mimeType: string;
  blob: BlobHash;
}
export interface InlineImage {
  type: 'image';
  mimeType: string;
  data: string;
}
export type RecordedContent = Text | InlineImage | BlobImage;

/** A block whose text is the joined deltas of its index. */
export type StreamedBlock =
  | { type: 'text'; streamed: true }
  | { type: 'thinking'; streamed: true; replay?: NonNullable<Thinking['replay']> }
  | { type: 'toolCall'; id: string; name: string; streamed: true; argumentsRepaired?: boolean };

export interface AssistantBody {
  role: 'assistant';
  content: (Text | Thinking | ToolCall | StreamedBlock)[];
  api: string;
  provider: string;
  model: string;
  usage: Usage;
  stopReason: StopReason;
  rawStopReason?: string;
  errorMessage?: string;
  errorCode?: string;
  errorParams?: Record<string, string | number>;
  thinkingLevel?: ThinkingLevel;
  timestamp: number;
}
export interface UserBody {
  role: 'user';
  content: string | RecordedContent[];
  timestamp: number;
}
export interface ToolResultBody {
  role: 'toolResult';
  toolCallId: string;
  toolName: string;
  /** Absent: content, details and usage are those of the call's `tool_execution_end`. */
  content?: RecordedContent[];
  details?: unknown;
  usage?: Usage;
  isError: boolean;
  durationMs?: number;
  timestamp: number;
}
export type MessageBody = SystemMessage | UserBody | AssistantBody | ToolResultBody | CustomMessage;

export interface RecordedResult {
  content: RecordedContent[];
  details?: unknown;
  structuredContent?: unknown;
  usage?: Usage;
  terminate?: boolean;
}

export interface ModelRef {
  api: string;
  provider: string;
  id: string;
  /** The endpoint's base URL, without credentials; empty for models that need no network. */
  baseUrl: string;
}

export interface QueuedBody {
  id: string;
  message: MessageBody;
  /** Where in the queue it stands after the change, from 0. */
  index: number;
}

/** What people are asked: may this call run, or a question of a tool. */
export interface AskSubject {
  toolName: string;
  args: unknown;
  /** What the rule or tool says, in the language of models. */
  text?: string;
  /** Of the built-in `fetch`: what it may do where. `args` are then what would be sent, without secrets. */
  fetch?: { origin: string; kind: 'read' | 'send' };
}

/** Patterns are globs with `*` and `?`, or literals: never regular expressions. */
export type HookRule = {
  id: string;
  /** Default true. */
  on?: boolean;
  /** Only at the nth time that the rule would apply. */
  nth?: number;
} & (
  | ({ rule: 'block'; reason?: string; terminate?: boolean } & ToolMatch)
  | ({ rule: 'ask'; text?: string } & ToolMatch)
  | ({ rule: 'rewrite'; text?: string; isError?: boolean; terminate?: boolean } & ToolMatch)
  | { rule: 'finishTurn'; action: 'end' | 'continue' }
  | { rule: 'append'; text: string }
  | { rule: 'thinkingLevel'; level: ThinkingLevel }
  | { rule: 'limitContext'; keep: number }
);
export interface ToolMatch {
  /** Glob of tool names; absent: all. */
  tool?: string;
  /** Glob that some argument's text matches, by argument name. */
  args?: Record<string, string>;
}

type Step = LoopStep extends infer S
  ? S extends LoopStep
    ? Omit<S, 'runId' | 'turnId' | 'callId'>
    : never
  : never;
/** Steps as they are recorded: `request` and `hook` have record types of their own. */
export type RecordedStep =
  | Extract<Step, { type: 'poll' | 'inject' | 'batch' | 'decide' }>
  /** `args` only where they differ from what the model sent. */
  | { type: 'execute'; toolName: string; args?: Record<string, unknown> };

interface Base {
  /** Counts up by one in a session, from 1. */
  seq: number;
  /** ms since the session was created; never less than the record before. */
  at: number;
}

export type RecordBody =
  | { type: 'agent_start'; run: string; how: 'prompt' | 'request' | 'steering' | 'followUp' }
  /** The run's new messages, in order. */
  | { type: 'agent_end'; run: string; messages: string[] }
  /** The run's listeners are done and its records are stored: idle. */
  | { type: 'settled'; run: string }
  | { type: 'turn_start'; turn: string; run: string }
  | { type: 'turn_end'; turn: string; message: string; toolResults: string[] }
  /** `turn` is absent for the history that a session starts with. */
  | {
      type: 'message_start';
      message: string;
      turn?: string;
      role: string;
      origin: MessageOrigin | 'history' | 'interrupted';
      call?: string;
      model?: ModelRef;
    }
  | {
      type: 'message_update';
      message: string;
      index: number;
      event:
        | 'text_start'
        | 'text_delta'
        | 'text_end'
        | 'thinking_start'
        | 'thinking_delta'
        | 'thinking_end'
        | 'toolcall_start'
        | 'toolcall_delta'
        | 'toolcall_end';
      delta?: string;
      /** Of toolcall_start, as far as known. */
      toolCallId?: string;
      toolName?: string;
      /** How many stream events were joined into this record; absent means 1. */
      joined?: number;
    }
  | { type: 'message_end'; message: string; body: MessageBody }
  /** The arguments are those of block `index` of `message`. */
  | {
      type: 'tool_execution_start';
      call: string;
      turn: string;
      message: string;
      index: number;
      toolCallId: string;
      toolName: string;
    }
  /** `append`: text added to the partial result's last text; else the partial result whole. */
  | { type: 'tool_execution_update'; call: string; append: string }
  | { type: 'tool_execution_update'; call: string; partial: RecordedResult }
  | {
      type: 'tool_execution_end';
      call: string;
      isError: boolean;
      result: RecordedResult;
      durationMs?: number;
    }
  /** A call that the code of call `parent` makes, with the arguments that it gives; headers of `fetch` without secrets. */
  | {
      type: 'nested_call_start';
      call: string;
      parent: string;
      toolName: string;
      args: Record<string, unknown>;
    }
  | { type: 'nested_call_end'; call: string; isError: boolean; result: RecordedResult; durationMs?: number }
  | { type: 'step'; run: string; turn?: string; call?: string; step: RecordedStep }
  | {
      type: 'hook';
      run: string;
      turn?: string;
      call?: string;
      name: string;
      durationMs: number;
      decision?: HookDecision;
      /** Ids of the rules that acted. */
      rules?: string[];
      /** Ids of the other rules that counted this time: it was not their nth, or there was nothing to do. */
      counted?: string[];
    }
  /**
   * The messages that the request carried, as a change of the request before it in this session:
   * `previous.slice(skip, skip + keep)` and then `add` (ids of messages, or messages that a hook made).
   */
  | {
      type: 'request';
      run: string;
      turn: string;
      message: string;
      model: ModelRef;
      thinkingLevel: ThinkingLevel;
      skip: number;
      keep: number;
      add: (string | MessageBody)[];
    }
  | {
      type: 'http';
      run: string;
      turn: string;
      attempt: number;
      status?: number;
      waitMs?: number;
      error?: string;
    }
  | {
      type: 'queue';
      queue: QueueName;
      why: QueueChange;
      add?: QueuedBody[];
      remove?: string[];
      /** The whole order, of a reorder. */
      order?: string[];
      on?: LoopPosition;
    }
  | { type: 'abort'; run: string; on?: LoopPosition }
  | { type: 'permission'; ask: string; call?: string; state: 'asked'; subject: AskSubject }
  | {
      type: 'permission';
      ask: string;
      state: 'allowed' | 'denied';
      by: 'person' | 'scenario';
      /** Allowed also what of this kind comes later. */
      always?: boolean;
      on?: LoopPosition;
    }
  | { type: 'answer'; ask: string; call?: string; state: 'asked'; subject: AskSubject }
  | {
      type: 'answer';
      ask: string;
      state: 'answered';
      text: string;
      by: 'person' | 'scenario';
      on?: LoopPosition;
    }
  /** What was set: the first of a session sets all. */
  | { type: 'config'; set: SessionConfig; on?: LoopPosition }
  /** `after` absent: deleted. */
  | { type: 'file_change'; path: string; by: 'start' | 'tool' | 'person'; call?: string; after?: FileContent }
  /** `stepped`: by itself, at a step of the loop, since the person goes step by step. */
  | { type: 'pause'; stepped?: true; on?: LoopPosition }
  | { type: 'resume' }
  /** These messages, the transcript's tail, left the transcript. */
  | { type: 'rewind'; why: 'retry' | 'edit'; drop: string[] }
  /** The tab or worker of the run before went away; what was open is closed here. */
  | { type: 'interrupted' };

export type TraceRecord = Base & RecordBody;
export type RecordType = RecordBody['type'];
export type RecordOf<T extends RecordType> = Extract<TraceRecord, { type: T }>;

/** What requests ask for beside the transcript. */
export interface RequestOptions {
  temperature?: number;
  /** Limit of output tokens of one request. */
  maxTokens?: number;
  /** Fields of the person's own in the HTTP body. Never recorded: values under names that look like secrets. */
  extraBody?: Record<string, unknown>;
  /** A failed answer leaves a short note in the next request instead of nothing. */
  tellFailures?: boolean;
}

/** Per million tokens, in a currency of the person's own. */
export interface TokenPrices {
  input: number;
  output: number;
  cacheRead?: number;
  cacheWrite?: number;
}

export interface SessionConfig {
  model?: ModelRef;
  systemPrompt?: string;
  thinkingLevel?: ThinkingLevel;
  tools?: string[];
  steeringMode?: QueueMode;
  followUpMode?: QueueMode;
  toolExecution?: ToolExecutionMode;
  /** 0: none any more. */
  requestLimit?: number;
  options?: RequestOptions;
  prices?: TokenPrices;
  /** False: the model takes no images. */
  images?: boolean;
  /** All of them, in their order. */
  rules?: HookRule[];
}

/** What is known of a session beside its records. */
export interface SessionInfo {
  id: string;
  title: string;
  /** ms since the epoch. */
  createdAt: number;
  updatedAt: number;
  /** The last stored record. */
  seq: number;
  at: number;
  /** `undefined` while a run is open (or was, when its tab went away). */
  state: 'idle' | 'running';
  /** The scenario that it plays, whole (src/scenario validates it), or none for a live session. */
  scenario?: unknown;
  /** Its shipped id, when it has one. */
  scenarioId?: string;
  /** It came from a file: its endpoint is asked nothing until a person chooses one for it in this browser. */
  endpointUnconfirmed?: true;
}

/** What travels instead of an Error: a code for the catalogue, and its parameters. */
export interface Problem {
  code: string;
  params?: Record<string, string | number>;
}
