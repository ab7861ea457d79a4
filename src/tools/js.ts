import type { AgentTool, ToolResult } from '../loop/types';
import { pickArguments, textArgument } from './arguments';
import type { VirtualFileSystem } from './file-system';
import { JobOutput, seconds, stopReason, withNotices } from './job-output';
import type { JobContext, StopReason } from './jobs/job';
import type { ToolRunner } from './jobs/job-runner';

/** A call of a tool by another one's code. `toolCallId` is the outer call's. */
export interface NestedCall {
  toolCallId: string;
  name: string;
  args: Record<string, unknown>;
}

/** Runs a nested call, by the same rules as the model's own calls. Never rejects. */
export type CallTool = (
  call: NestedCall,
  signal?: AbortSignal,
  onUpdate?: (partial: ToolResult) => void,
) => Promise<{ result: ToolResult; isError: boolean }>;

/** `calls` counts the tools that the code called; `failed` when it threw. */
export interface JsDetails {
  calls: number;
  failed?: boolean;
  stopped?: StopReason;
  truncated: boolean;
  /** Of a longer output: the lines that are shown, its last, of how many. */
  lines?: { shown: number; total: number };
  fullOutputPath?: string;
}

const TIMEOUT_MS = 10_000;

const prepareArguments = (raw: unknown) => pickArguments(raw, { code: ['script', 'javascript'] });

export function createJsTool(fs: VirtualFileSystem, runner: ToolRunner, callTool: CallTool): AgentTool {
  return {
    name: 'js',
    label: 'JavaScript',
    description:
      'Run JavaScript in a sandbox of its own. The result is what console.log printed and the value of the last expression; await ' +
      'works. Other tools are functions that give back their text and throw their errors: const text = await tools.read({ path: ' +
      '"a.txt" }). There is no network, no DOM, no Node and no timer. ' +
      `The code itself may take ${seconds(TIMEOUT_MS)} and 64MB of memory.`,
    parameters: {
      type: 'object',
      properties: { code: { type: 'string', description: 'The code of a script.' } },
      required: ['code'],
    },
    prepareArguments,
    async execute(toolCallId, rawArguments, signal, onUpdate) {
      const code = textArgument(prepareArguments(rawArguments), 'code');
      const output = new JobOutput(onUpdate);
      let calls = 0;
      const call: JobContext['callTool'] = async (name, args) => {
        calls++;
        const nested = { toolCallId, name, args: args as Record<string, unknown> };
        const { result, isError } = await callTool(nested, signal);
        return { text: textOf(result), isError };
      };
      try {
        const job = { kind: 'js' as const, code, timeoutMs: TIMEOUT_MS };
        const { result } = await runner.run(job, fs, { signal, onOutput: output.add, callTool: call });
        if (result.value !== undefined) output.add(result.value);
        if (result.error !== undefined) output.add(result.error);
        const { text, notices, ...shown } = await output.present(fs, 'js');
        const details: JsDetails = { calls, ...shown, ...(result.error !== undefined && { failed: true }) };
        const content = [{ type: 'text' as const, text: withNotices(text, notices) || '[No output]' }];
        return { content, details, ...(result.error !== undefined && { isError: true }) };
      } catch (error) {
        return await stopped(fs, output, stopReason(error), calls);
      }
    },
  };
}

async function stopped(
  fs: VirtualFileSystem,
  output: JobOutput,
  reason: StopReason,
  calls: number,
): Promise<ToolResult> {
  const { text, notices, ...shown } = await output.present(fs, 'js');
  const details: JsDetails = { calls, stopped: reason, ...shown };
  const notice = {
    time: `Stopped: the code ran longer than ${seconds(TIMEOUT_MS)}.`,
    output: 'Stopped: the code printed too much.',
    memory: 'Stopped: the code needed more than 64MB of memory.',
    aborted: 'Aborted.',
  }[reason];
  return {
    content: [{ type: 'text', text: withNotices(text, [...notices, notice]) }],
    details,
    isError: true,
  };
}

function textOf({ content }: ToolResult): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[Image: ${part.mimeType}]`)).join('\n');
}
