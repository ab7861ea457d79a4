/** The scenario format: the one format for demos, lessons, tests, links and "what if" runs. Plain JSON. */
import type {
  AgentMessage,
  Image,
  QueueMode,
  QueueName,
  StopReason,
  Text,
  ThinkingLevel,
  ToolExecutionMode,
} from '../loop/types';
import type { HookRule, LoopPosition } from '../records/types';

export type { HookRule } from '../records/types';

export interface Scenario {
  version: 1;
  title: string;
  description?: string;
  systemPrompt?: string;
  /** The transcript that is there before the first run. */
  history?: AgentMessage[];
  /** Files at the start, by path: a text, base64 bytes, or a shipped sample by its path under `samples/`. */
  files?: Record<string, string | { base64: string } | { sample: string }>;
  /** Built-in tools by name, or scripted ones. */
  tools?: (string | ScriptedTool)[];
  /**
   * Virtual ms that a built-in tool takes before it works, by its name; without an entry none. In a list, of the nth call
   * that runs, and none for those after the list.
   */
  toolDurations?: Record<string, number | number[]>;
  model: ScriptedModelSpec | LiveModelSpec;
  steeringMode?: QueueMode;
  followUpMode?: QueueMode;
  toolExecution?: ToolExecutionMode;
  thinkingLevel?: ThinkingLevel;
  /** After this many requests in a run, `finishTurn` ends it. */
  requestLimit?: number;
  rules?: HookRule[];
  /** `prompt` sends the first of `prompts`; `continue` goes on from the history. The other prompts follow, each when idle. */
  start: 'prompt' | 'continue';
  prompts?: string[];
  /** What the person does, at places of the loop. */
  actions?: ScenarioAction[];
}

export interface ScriptedModelSpec {
  kind: 'scripted';
  /** Answers in order; when they are used up, a small rule-based fallback answers. */
  turns: ScriptedTurn[];
}
/** The person's own endpoint plays; the spec only names what it was made with. */
export interface LiveModelSpec {
  kind: 'live';
  api?: string;
  id?: string;
}

export interface ScriptedTurn {
  blocks: ScriptedBlock[];
  /** Default: toolUse when there are tool calls, else stop. */
  stopReason?: Exclude<StopReason, 'pending'>;
  errorMessage?: string;
  /** Virtual ms to the first token (default 350), characters per delta (default 6), ms between deltas (default 24). */
  firstTokenMs?: number;
  chunk?: number;
  gapMs?: number;
  /** No start event and no deltas: the message comes whole. */
  noStart?: boolean;
  /** The stream just ends, without done or error. */
  silentEnd?: boolean;
  /**
   * After the blocks the model falls silent until the run is aborted: within the last one, which gets no end, or when all
   * have ended.
   */
  stalls?: 'inBlock' | 'afterBlocks';
}
export type ScriptedBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string }
  /** `argumentsError` and `argumentsRepaired`: what the reading of a text that nobody has any more said. */
  | {
      type: 'toolCall';
      id?: string;
      name: string;
      arguments: Record<string, unknown>;
      argumentsError?: string;
      argumentsRepaired?: boolean;
    }
  /** The argument text as the model sent it, perhaps broken or cut off. */
  | { type: 'toolCall'; id?: string; name: string; rawArguments: string };

export interface ScriptedTool {
  name: string;
  description?: string;
  /** JSON Schema of the arguments; default: any object. */
  parameters?: Record<string, unknown>;
  mode?: ToolExecutionMode;
  /** Virtual ms until it settles. */
  durationMs: number;
  /** Progress texts, at evenly spaced times. */
  progress?: string[];
  /** `{{name}}` stands for the argument of that name. */
  result?: string;
  /** It throws this. */
  error?: string;
  isError?: boolean;
  terminate?: boolean;
  /** It stops early when the run is aborted (default true). */
  honourAbort?: boolean;
  /** What the nth call that runs gives; calls after the list get what is written above. */
  results?: ScriptedResult[];
}

/** What one call of a scripted tool gives, its texts as they are. */
export interface ScriptedResult {
  /** Virtual ms until it settles. */
  durationMs: number;
  updates?: ScriptedUpdate[];
  result?: string;
  /** Instead of `result`. */
  content?: (Text | Image)[];
  details?: unknown;
  /** It throws this. */
  error?: string;
  isError?: boolean;
  terminate?: boolean;
  /** It stops early when the run is aborted (default true). */
  honourAbort?: boolean;
}
/** A partial result, `atMs` after the start: text added to the one before, or a new one. */
export type ScriptedUpdate = { atMs: number } & (
  { append: string } | { content: (Text | Image)[]; details?: unknown }
);

/**
 * A place of the loop: an event, or, with `step`, the nth step that the loop tells after that event and before the next one,
 * from 1. Steps are what it tells between its events: polls, what joins, requests, batches, calls that run, decisions, and
 * hooks that had something to judge.
 */
export interface ScenarioPosition extends LoopPosition {
  step?: number;
}

/** `afterMs`: so many virtual ms after that place of the loop; without it at once, before the loop goes on. */
export type ScenarioAction = { on: ScenarioPosition; afterMs?: number } & (
  | { do: 'steer' | 'followUp'; text: string }
  | { do: 'abort' }
  | { do: 'clear'; queue?: QueueName }
  /** The nth queued message of a queue, from 1. */
  | { do: 'edit'; queue: QueueName; item: number; text: string }
  | { do: 'remove'; queue: QueueName; item: number }
  | { do: 'move'; queue: QueueName; item: number; to: QueueName; index?: number }
  | { do: 'mode'; queue: QueueName; mode: QueueMode }
  /** Built-in tools and this scenario's scripted ones by name, or new scripted ones. */
  | { do: 'tools'; tools: (string | ScriptedTool)[] }
  /** A prompt that changes is told in the transcript, when the next run begins. A limit of 0 is none. */
  | {
      do: 'set';
      thinkingLevel?: ThinkingLevel;
      toolExecution?: ToolExecutionMode;
      systemPrompt?: string;
      requestLimit?: number;
    }
  /** In place of the rules before. */
  | { do: 'rules'; rules: HookRule[] }
  /** Changes a file as a person would; without content it is deleted. */
  | { do: 'file'; path: string; content?: string | { base64: string } }
  /** Once the run is over, before the next prompt: goes on, or takes the failed answer back and asks again. */
  | { do: 'continue' | 'retry' }
  /** Once the run is over: the nth prompt, from 1, and all behind it leave the transcript. The next of `prompts` follows. */
  | { do: 'rewind'; prompt: number }
  /** Answers the oldest open permission or question. */
  | { do: 'permission'; allow: boolean }
  | { do: 'answer'; text: string }
);
