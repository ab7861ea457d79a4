/** Tools that a scenario writes down: they take virtual time, report progress and give back what was written. */
import type { AgentTool, Image, Text, ToolExecutionMode, ToolResult } from '../loop/types';

/** What a scripted tool does; the scenario format's tools have this shape. Times are virtual ms. */
export interface ScriptedToolSpec {
  name: string;
  description?: string;
  /** JSON Schema of the arguments; default: any object. */
  parameters?: Record<string, unknown>;
  mode?: ToolExecutionMode;
  durationMs: number;
  /** Reported at evenly spaced times, each on a line below the ones before. */
  progress?: readonly string[];
  /** `{{name}}` stands for the argument of that name, in all texts. */
  result?: string;
  /** It throws this. */
  error?: string;
  isError?: boolean;
  terminate?: boolean;
  /** It stops early when the run is aborted (default true). */
  honourAbort?: boolean;
  /** What the nth call gives, word for word; calls after the list get what is written above. */
  results?: readonly ScriptedResult[];
}

export interface ScriptedResult {
  durationMs: number;
  updates?: readonly ScriptedUpdate[];
  result?: string;
  /** Instead of `result`. */
  content?: readonly (Text | Image)[];
  details?: unknown;
  /** It throws this. */
  error?: string;
  isError?: boolean;
  terminate?: boolean;
  honourAbort?: boolean;
}
/** A partial result, `atMs` after the start: text added to the one before, or a new one. */
export type ScriptedUpdate = { atMs: number } & (
  { append: string } | { content: readonly (Text | Image)[]; details?: unknown }
);

export interface ScriptedToolOptions {
  /** Waits so many virtual ms. On abort it settles at once, either way; without a signal it waits to the end. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Which call of this tool runs now, from 0: asked once a call. Without it, each tool that is made counts from 0. */
  nextCall?: () => number;
}

/** The tool that `spec` describes. Its execution throws `error`, or that it was aborted. */
export function scriptedTool(spec: ScriptedToolSpec, options: ScriptedToolOptions): AgentTool {
  let calls = 0;
  const nextCall = options.nextCall ?? (() => calls++);
  return {
    name: spec.name,
    label: spec.name,
    description: spec.description ?? spec.name,
    parameters: spec.parameters ?? { type: 'object', additionalProperties: true },
    ...(spec.mode ? { executionMode: spec.mode } : {}),
    execute: (_toolCallId, args, signal, onUpdate) =>
      give(spec.results?.[nextCall()] ?? usualResult(spec, args), options.sleep, signal, onUpdate),
  };
}

/** What a call gives for which nothing else is written. */
function usualResult(spec: ScriptedToolSpec, args: Record<string, unknown>): ScriptedResult {
  const { durationMs, progress = [], result = '', error, isError, terminate, honourAbort } = spec;
  let told = '';
  const updates = progress.map((text, index): ScriptedUpdate => {
    const more = (told === '' ? '' : '\n') + filled(text, args);
    told += more;
    // Whole ms: a clock that rounds each wait must still come out at the whole duration.
    const atMs = Math.round((durationMs * (index + 1)) / (progress.length + 1));
    return { atMs, append: more };
  });
  return {
    durationMs,
    updates,
    result: filled(result, args),
    ...(error === undefined ? {} : { error: filled(error, args) }),
    ...(isError === undefined ? {} : { isError }),
    ...(terminate === undefined ? {} : { terminate }),
    ...(honourAbort === undefined ? {} : { honourAbort }),
  };
}

async function give(
  { durationMs, updates = [], ...given }: ScriptedResult,
  sleep: ScriptedToolOptions['sleep'],
  signal: AbortSignal | undefined,
  onUpdate: ((partial: ToolResult) => void) | undefined,
): Promise<ToolResult> {
  const heeded = given.honourAbort === false ? undefined : signal;
  let past = 0;
  let partial: ToolResult = { content: [] };
  for (const { atMs, ...change } of updates) {
    await wait(atMs - past, sleep, heeded);
    past = atMs;
    partial =
      'append' in change
        ? grown(partial, change.append)
        : structuredClone({ ...change, content: [...change.content] });
    onUpdate?.(partial);
  }
  await wait(durationMs - past, sleep, heeded);
  if (given.error !== undefined) throw new Error(given.error);
  const { result = '', content = textResult(result).content, details, isError, terminate } = given;
  // A copy for each call: hooks and people may change what they are given.
  return structuredClone({
    content: [...content],
    ...(details === undefined ? {} : { details }),
    ...(isError ? { isError } : {}),
    ...(terminate ? { terminate } : {}),
  });
}

/** The partial result with more text at the end of its last text. */
function grown(before: ToolResult, more: string): ToolResult {
  const at = before.content.findLastIndex((part) => part.type === 'text');
  const last = before.content[at];
  if (last?.type !== 'text') return { ...before, content: [...before.content, { type: 'text', text: more }] };
  return { ...before, content: before.content.with(at, { type: 'text', text: last.text + more }) };
}

/**
 * The tool with some virtual ms before its work, so that a trace shows it taking time. An abort ends the wait. Of a list,
 * the nth number is for the nth call, and calls after the list take none.
 */
export function takingTime(
  tool: AgentTool,
  durations: number | readonly number[],
  options: ScriptedToolOptions,
): AgentTool {
  let calls = 0;
  const nextCall = options.nextCall ?? (() => calls++);
  return {
    ...tool,
    execute: async (toolCallId, args, signal, onUpdate) => {
      const ms = typeof durations === 'number' ? durations : (durations[nextCall()] ?? 0);
      if (ms > 0) await wait(ms, options.sleep, signal);
      return tool.execute(toolCallId, args, signal, onUpdate);
    },
  };
}

async function wait(ms: number, sleep: ScriptedToolOptions['sleep'], signal?: AbortSignal): Promise<void> {
  if (!signal?.aborted) {
    try {
      await sleep(ms, signal);
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }
  if (signal?.aborted) throw new Error('Operation aborted');
}

function textResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }] };
}

/** A placeholder without an argument of its name stays, so that a typo is seen. */
function filled(template: string, args: Record<string, unknown>): string {
  return template.replace(/\{\{([\w.-]+)\}\}/g, (placeholder, name: string) => {
    const value = Object.hasOwn(args, name) ? args[name] : undefined;
    if (value === undefined) return placeholder;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}
