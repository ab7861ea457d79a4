/** The Trace: what `fold` makes of records. Mutable, grown record by record; views only read it. */
import type { HookDecision, MessageOrigin, QueueName, StopReason, ThinkingLevel, Usage } from '../loop/types';
import type {
  AskSubject,
  FileContent,
  MessageBody,
  ModelRef,
  RecordedResult,
  RecordedStep,
  SessionConfig,
  HookRule,
} from '../records/types';

export type RunStatus = 'running' | 'done' | 'aborted' | 'error' | 'interrupted';
export type CallStatus = 'running' | 'ok' | 'error' | 'aborted' | 'interrupted';
export type MessageStatus = 'streaming' | 'done' | 'aborted' | 'error' | 'interrupted';

/** A child of a run or turn, in the order of its first record. */
export type NodeRef =
  | { kind: 'turn'; id: string }
  | { kind: 'message'; id: string }
  | { kind: 'call'; id: string }
  | { kind: 'note'; index: number };

interface Span {
  /** Sequence number of its first and last record. */
  seq: number;
  endSeq?: number;
  /** ms since the session was created. */
  at: number;
  endAt?: number;
}

export interface RunNode extends Span {
  id: string;
  /** From 1. */
  n: number;
  how: 'prompt' | 'request' | 'steering' | 'followUp';
  status: RunStatus;
  /** Set at agent_end; `settled` when its records are stored and its listeners done. */
  settled: boolean;
  children: NodeRef[];
  /** Ids of the messages it added. */
  messages: string[];
  turns: number;
  requests: number;
  usage: Usage;
  /** The last `decide` step: why it went on or stopped. */
  lastDecision?: Extract<RecordedStep, { type: 'decide' }>;
  /** Of its last assistant message or failure. */
  stopReason?: StopReason;
  /** ms; when its abort was asked for. */
  abortedAt?: number;
}

export interface TurnNode extends Span {
  id: string;
  run: string;
  /** From 1 in its run. */
  n: number;
  children: NodeRef[];
  request?: RequestNode;
}

/** As recorded: `requestMessages(trace, request)` gives the list. */
export interface RequestNode {
  seq: number;
  at: number;
  /** Index in `trace.requests`. */
  index: number;
  turn: string;
  message: string;
  model: ModelRef;
  thinkingLevel: ThinkingLevel;
  skip: number;
  keep: number;
  add: (string | MessageBody)[];
}

export interface BlockNode {
  type: 'text' | 'thinking' | 'toolCall';
  /** What streamed so far (of a tool call: its argument text), in pieces; `blockText(block)` joins and keeps it. */
  parts: string[];
  /** Stream events, before joining. */
  deltas: number;
  at: number;
  endAt?: number;
  toolCallId?: string;
  toolName?: string;
}

export interface MessageNode extends Span {
  id: string;
  /** Absent for the history that a session starts with. */
  turn?: string;
  role: string;
  origin: MessageOrigin | 'history' | 'interrupted';
  status: MessageStatus;
  /** Of a tool result: its call. */
  call?: string;
  model?: ModelRef;
  blocks: BlockNode[];
  /** ms; when the first delta came. */
  firstTokenAt?: number;
  /** ms; when anything of it came last. */
  heardAt?: number;
  /** Set at its end. `messageOf(trace, id)` gives the whole message. */
  body?: MessageBody;
  stopReason?: StopReason;
  usage?: Usage;
  /** Ids of the calls that it set off, in source order. */
  calls: string[];
  /** It waited in a queue. */
  queued?: QueueItem;
  /** A rewind took it out of the transcript. */
  dropped?: boolean;
}

export interface CallNode extends Span {
  id: string;
  turn: string;
  /** The assistant message that asked for it, and the index of its block. */
  message: string;
  index: number;
  toolCallId: string;
  toolName: string;
  status: CallStatus;
  /** The last partial result, and after the end the result. */
  partial?: RecordedResult;
  /** Partial text that was streamed, in pieces. */
  partialParts: string[];
  updates: number;
  result?: RecordedResult;
  isError?: boolean;
  durationMs?: number;
  /** Where it began to run (after preparation and hooks). */
  executeAt?: number;
  /** The arguments that really ran, where they differ from what the model sent. */
  args?: Record<string, unknown>;
  /** Id of the message that carries its result. */
  resultMessage?: string;
  hooks: NoteNode[];
  /** What else happened inside it: questions to people and file changes. */
  notes: NoteNode[];
  /** Of a call that the code of another one made: that one. Turn, message and index are those of the outermost. */
  parent?: string;
  /** Of such a call: the arguments that the code gave. */
  given?: Record<string, unknown>;
  /** Ids of the calls that its code made, in order. */
  calls: string[];
}

/**
 * What is no span of its own: steps, hooks, http attempts, aborts, pauses, settings, rewinds. All are in
 * `trace.notes`; those of a call, and the files at the start, are no children of a run or turn.
 */
export interface NoteNode {
  seq: number;
  at: number;
  run?: string;
  turn?: string;
  call?: string;
  note:
    | { type: 'step'; step: RecordedStep }
    | { type: 'hook'; name: string; durationMs: number; decision?: HookDecision; rules?: string[] }
    | { type: 'http'; attempt: number; status?: number; waitMs?: number; error?: string }
    | { type: 'abort' }
    | { type: 'pause'; endAt?: number; endSeq?: number }
    /** `rulesBefore`: when it sets the rules, those that it takes the place of. */
    | { type: 'config'; set: SessionConfig; rulesBefore?: readonly HookRule[] }
    | { type: 'rewind'; why: 'retry' | 'edit'; drop: string[] }
    /** `before` absent: it is new; `after` absent: it was deleted. */
    | {
        type: 'file';
        path: string;
        by: 'start' | 'tool' | 'person';
        before?: FileContent;
        after?: FileContent;
      }
    | { type: 'permission' | 'answer'; ask: string }
    | { type: 'interrupted' };
}

export interface QueueItem {
  id: string;
  queue: QueueName;
  message: MessageBody;
  /** ms; when it was queued first, and when it left. */
  at: number;
  seq: number;
  leftAt?: number;
  leftSeq?: number;
  left?: 'drain' | 'remove' | 'clear';
  edited?: boolean;
  /** When it went from one queue to the other, and from which, in order. */
  moves?: { from: QueueName; at: number; seq: number }[];
  /** Where a drained one landed. */
  landed?: { message: string; turn?: string };
}

export interface AskNode {
  id: string;
  kind: 'permission' | 'answer';
  call?: string;
  subject: AskSubject;
  at: number;
  seq: number;
  endAt?: number;
  state: 'asked' | 'allowed' | 'denied' | 'answered' | 'interrupted';
  by?: 'person' | 'scenario';
  always?: boolean;
  text?: string;
}

export interface Trace {
  /** The last record that was folded in; 0 at the start. */
  seq: number;
  at: number;
  /** `settling`: after agent_end, before settled. */
  state: 'idle' | 'running' | 'settling';
  config: SessionConfig;
  /** How often each rule counted, by its id: also when it did not act, since that was not its nth time. */
  ruleCounts: Map<string, number>;
  /** How often each rule acted, by its id. */
  ruleActs: Map<string, number>;
  runs: RunNode[];
  runsById: Map<string, RunNode>;
  turns: Map<string, TurnNode>;
  messages: Map<string, MessageNode>;
  calls: Map<string, CallNode>;
  notes: NoteNode[];
  requests: RequestNode[];
  asks: Map<string, AskNode>;
  /** Runs, the history's messages and notes outside of runs, in order. */
  children: (NodeRef | { kind: 'run'; index: number })[];
  /** Ids of the messages that the next request can see, in order. */
  transcript: string[];
  queues: Record<QueueName, QueueItem[]>;
  /** Every item that was ever queued. */
  queueItems: Map<string, QueueItem>;
  /** The files as they stand. */
  files: Map<
    string,
    { content: FileContent; changedBy: 'start' | 'tool' | 'person'; seq: number; call?: string }
  >;
  usage: Usage;
  paused: boolean;
}
