/** Tools that a scenario writes down: they take virtual time, report progress and give back what was written. */
import type { AgentTool, ToolExecutionMode, ToolResult } from '../loop/types';

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
}

export interface ScriptedToolOptions {
  /** Waits so many virtual ms. On abort it settles at once, either way; without a signal it waits to the end. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** The tool that `spec` describes. Its execution throws `error`, or that it was aborted. */
export function scriptedTool(spec: ScriptedToolSpec, { sleep }: ScriptedToolOptions): AgentTool {
  return {
    name: spec.name,
    label: spec.name,
    description: spec.description ?? spec.name,
    parameters: spec.parameters ?? { type: 'object', additionalProperties: true },
    ...(spec.mode ? { executionMode: spec.mode } : {}),
    execute: async (_toolCallId, args, signal, onUpdate) => {
      const heeded = spec.honourAbort === false ? undefined : signal;
      const progress = spec.progress ?? [];
      let told = '';
      let past = 0;
      for (const [index, text] of progress.entries()) {
        // Whole ms: a clock that rounds each wait must still come out at the whole duration.
        const due = Math.round((spec.durationMs * (index + 1)) / (progress.length + 1));
        await wait(due - past, sleep, heeded);
        past = due;
        told += (told === '' ? '' : '\n') + filled(text, args);
        onUpdate?.(textResult(told));
      }
      await wait(spec.durationMs - past, sleep, heeded);
      if (spec.error !== undefined) throw new Error(filled(spec.error, args));
      return {
        ...textResult(filled(spec.result ?? '', args)),
        ...(spec.isError ? { isError: true } : {}),
        ...(spec.terminate ? { terminate: true } : {}),
      };
    },
  };
}

/** The tool with `ms` virtual ms before its work, so that a trace shows it taking time. An abort ends the wait. */
export function takingTime(tool: AgentTool, ms: number, { sleep }: ScriptedToolOptions): AgentTool {
  return {
    ...tool,
    execute: async (toolCallId, args, signal, onUpdate) => {
      await wait(ms, sleep, signal);
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
