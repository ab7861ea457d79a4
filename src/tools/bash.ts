import type { AgentTool, ToolResult } from '../loop/types';
import { pickArguments, textArgument } from './arguments';
import { formatBytes } from './encoding';
import type { VirtualFileSystem } from './file-system';
import { JobOutput, seconds, stopReason, withNotices } from './job-output';
import type { StopReason } from './jobs/job';
import type { ToolRunner } from './jobs/job-runner';
import { MAX_BYTES, MAX_LINES } from './truncate';

/** `exitCode` is absent when the command was stopped; its changes of files are dropped then. */
export interface BashDetails {
  command: string;
  exitCode?: number;
  stopped?: StopReason;
  truncated: boolean;
  /** Of a longer output: the lines that are shown, its last, of how many. */
  lines?: { shown: number; total: number };
  fullOutputPath?: string;
}

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 120;

const prepareArguments = (raw: unknown) => pickArguments(raw, { command: ['cmd', 'script'], timeout: [] });

export function createBashTool(fs: VirtualFileSystem, runner: ToolRunner): AgentTool {
  return {
    name: 'bash',
    label: 'Bash',
    description:
      'Run a command in a simulated bash shell on the files, starting in /project. There are pipes, redirections, globs, ' +
      'loops, functions and the usual text commands (ls, cat, grep, sed, awk, sort, find, jq, diff and the like), but no real ' +
      'programs (no node, python, git or npm) and no network. Variables and the folder last for one command. ' +
      `The last ${MAX_LINES} lines or ${formatBytes(MAX_BYTES)} of the output are shown; all of a longer output is kept in a file.`,
    parameters: {
      type: 'object',
      properties: {
        command: { type: 'string', description: 'The command, of one or more lines.' },
        timeout: {
          type: 'number',
          minimum: 0,
          description: `Seconds after which the command is stopped (${DEFAULT_SECONDS}, at most ${MAX_SECONDS}).`,
        },
      },
      required: ['command'],
    },
    prepareArguments,
    async execute(_toolCallId, rawArguments, signal, onUpdate) {
      const args = prepareArguments(rawArguments);
      const command = textArgument(args, 'command');
      const timeoutMs = timeoutArgument(args['timeout']);
      const output = new JobOutput(onUpdate);
      try {
        const { result, notes } = await runner.run({ kind: 'bash', command, timeoutMs }, fs, {
          signal,
          onOutput: output.add,
        });
        return await finished(fs, command, output, result.exitCode, notes);
      } catch (error) {
        return await stopped(fs, command, output, stopReason(error), timeoutMs);
      }
    },
  };
}

async function finished(
  fs: VirtualFileSystem,
  command: string,
  output: JobOutput,
  exitCode: number,
  notes: string[],
): Promise<ToolResult> {
  const { text, notices, ...shown } = await output.present(fs, 'bash');
  const details: BashDetails = { command, exitCode, ...shown };
  const below = [...notices, ...(exitCode === 0 ? [] : [`Exit code ${exitCode}`]), ...notes];
  return {
    content: [{ type: 'text', text: withNotices(text, below) || '[No output]' }],
    details,
    ...(exitCode !== 0 && { isError: true }),
  };
}

async function stopped(
  fs: VirtualFileSystem,
  command: string,
  output: JobOutput,
  reason: StopReason,
  timeoutMs: number,
): Promise<ToolResult> {
  const { text, notices, ...shown } = await output.present(fs, 'bash');
  const details: BashDetails = { command, stopped: reason, ...shown };
  const why = {
    time: `Stopped: the command ran longer than ${seconds(timeoutMs)}`,
    output: 'Stopped: the command printed too much',
    memory: 'Stopped: the command needed too much memory',
    aborted: 'Aborted',
  }[reason];
  const notice = `${why}. What it had changed in files was dropped.`;
  return {
    content: [{ type: 'text', text: withNotices(text, [...notices, notice]) }],
    details,
    isError: true,
  };
}

/** ms. Zero means the default, since no command may run for ever. */
function timeoutArgument(value: unknown): number {
  const timeout = typeof value === 'string' && value.trim() !== '' ? Number(value) : (value ?? 0);
  if (typeof timeout !== 'number' || !(timeout >= 0))
    throw new Error(`timeout must be a number of seconds from 0, and is ${JSON.stringify(value)}.`);
  return Math.min(timeout || DEFAULT_SECONDS, MAX_SECONDS) * 1000;
}
