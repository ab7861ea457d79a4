import type { Bash } from 'just-bash/browser';
import { MAX_FILE_BYTES } from '../file-system';
import type { VirtualFileSystem } from '../file-system';
import { WORKING_DIRECTORY } from '../paths';
import type { Engines } from './engines';
import { errorMessage, JobStopped } from './job';
import type { BashJob, BashResult, JobContext, ShellState } from './job';
import { ls } from './shell-commands';
import { ShellFiles } from './shell-files';
import { terminalOutput } from './terminal-output';

/** Characters. */
const MAX_OUTPUT = 8 * 1024 * 1024;

const TIMED_OUT = 124;

/** Loops end by time; these keep what a command holds in memory within what a page can bear. */
const LIMITS = {
  maxLoopIterations: 10_000_000,
  maxCommandCount: 10_000_000,
  maxAwkIterations: 1_000_000,
  maxSedIterations: 1_000_000,
  maxJqIterations: 1_000_000,
  maxStringLength: MAX_FILE_BYTES,
  maxHeredocSize: MAX_FILE_BYTES,
  // Of all commands together, whether it is shown or goes into files and pipes.
  maxOutputSize: 256 * 1024 * 1024,
  maxLiveBytes: 128 * 1024 * 1024,
  maxInputBytes: 128 * 1024 * 1024,
  maxFileSystemBytes: 32 * 1024 * 1024,
  maxArchiveBytes: MAX_FILE_BYTES,
};

export interface ShellSession {
  state: ShellState;
  /** Takes the place of the real time that `sleep` takes. */
  sleep?: (ms: number) => Promise<void>;
}

/** Runs a command in a simulated shell, without a network. Throws `JobStopped` at the limits of time and output. */
export async function runShell(
  files: VirtualFileSystem,
  { command, timeoutMs }: BashJob,
  { state, sleep }: ShellSession,
  { signal, onOutput }: JobContext,
  engines: Engines,
): Promise<{ result: BashResult; state: ShellState }> {
  const { Bash, InMemoryFs, defineCommand } = await engines.loadShell();
  const overflow = new AbortController();
  let length = 0;
  const print = (text: string) => {
    const room = MAX_OUTPUT - length;
    length += text.length;
    if (room > 0 && text !== '') onOutput?.(text.slice(0, room));
    if (text.length > room) overflow.abort();
  };
  const shellFiles = new ShellFiles(files, new InMemoryFs(), state, print);
  const bash = new Bash({
    fs: shellFiles,
    cwd: WORKING_DIRECTORY,
    env: { HOME: WORKING_DIRECTORY, USER: 'user', TERM: 'dumb' },
    executionLimits: { ...LIMITS, maxExecutionTimeMs: timeoutMs },
    // It replaces globals of the host while a command runs; the limits above and the worker are the defence here.
    defenseInDepth: false,
    customCommands: [defineCommand('ls', ls)],
    ...(sleep && { sleep }),
  });
  bash.registerTransformPlugin(terminalOutput());
  const startedAt = Date.now();
  const exitCode = await execute(
    bash,
    command,
    signal ? AbortSignal.any([signal, overflow.signal]) : overflow.signal,
    print,
  );
  signal?.throwIfAborted();
  if (overflow.signal.aborted) throw new JobStopped('output');
  if (exitCode === TIMED_OUT && Date.now() - startedAt >= timeoutMs) throw new JobStopped('time');
  return { result: { exitCode }, state: shellFiles.state() };
}

/** What did not go to the terminal while the command ran is printed after it. */
async function execute(
  bash: Bash,
  command: string,
  signal: AbortSignal,
  print: (text: string) => void,
): Promise<number> {
  try {
    const { stdout, stderr, exitCode } = await bash.exec(command, { rawScript: true, signal });
    print(stdout);
    // How it was stopped is for us to say.
    if (!signal.aborted && exitCode !== TIMED_OUT) print(stderr);
    return exitCode;
  } catch (error) {
    // The shell lets errors of a redirection's file through.
    print(`bash: ${errorMessage(error).replace(/^E[A-Z]+: [^:]*: /, '')}\n`);
    return 1;
  }
}
