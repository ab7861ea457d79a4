import type { AgentTool, ToolResult } from '../loop/types';
import { pickArguments, toNumber, wholeNumberArgument } from './arguments';

export interface WaitDetails {
  ms: number;
}

/** Waits; on abort it rejects at once. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>;

const MAX_MS = 600_000;
const STEPS = 10;
const LEAST_STEP_MS = 100;

function prepareArguments(raw: unknown): Record<string, unknown> {
  const args = pickArguments(raw, { ms: ['milliseconds', 'duration'] });
  return 'ms' in args ? { ms: toNumber(args['ms']) } : args;
}

export function createWaitTool(sleep: Sleep): AgentTool {
  return {
    name: 'wait',
    label: 'Wait',
    description: `Wait for some milliseconds, at most ${MAX_MS}.`,
    parameters: {
      type: 'object',
      properties: { ms: { type: 'integer', minimum: 0, maximum: MAX_MS, description: 'Milliseconds.' } },
      required: ['ms'],
    },
    prepareArguments,
    async execute(_toolCallId, rawArguments, signal, onUpdate) {
      const ms = wholeNumberArgument(prepareArguments(rawArguments), 'ms', 0);
      if (ms === undefined) throw new Error('ms is missing: it must be a number of milliseconds.');
      if (ms > MAX_MS) throw new Error(`ms must be at most ${MAX_MS}, and is ${ms}.`);
      const step = Math.max(LEAST_STEP_MS, Math.ceil(ms / STEPS));
      for (let waited = 0; waited < ms;) {
        const next = Math.min(step, ms - waited);
        await sleep(next, signal);
        signal?.throwIfAborted();
        waited += next;
        if (waited < ms) onUpdate?.(result(`Waited ${waited} of ${ms} ms.`, ms));
      }
      return result(`Waited ${ms} ms.`, ms);
    },
  };
}

function result(text: string, ms: number): ToolResult {
  const details: WaitDetails = { ms };
  return { content: [{ type: 'text', text }], details };
}

/** Real time. */
export const realSleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
