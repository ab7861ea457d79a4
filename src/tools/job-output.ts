/** What a job printed, as the model and the person get it. */
import type { ToolResult } from '../loop/types';
import { formatBytes, wellFormed } from './encoding';
import type { VirtualFileSystem } from './file-system';
import { errorMessage, JobStopped } from './jobs/job';
import type { JobContext, StopReason } from './jobs/job';
import { MAX_BYTES, truncateTail } from './truncate';

export interface PresentedOutput {
  text: string;
  /** What to say below the text; with it, all is within the limits of output. */
  notices: string[];
  truncated: boolean;
  /** How many whole lines at the end `text` is, of how many; when it is a part. */
  lines?: { shown: number; total: number };
  /** Where all of it is, when `text` is a part. */
  fullOutputPath?: string;
}

/** Kept free for notices, since the limit is for all that the model gets. */
const NOTICE_BYTES = 1200;

/** Collects what a job prints, and shows its end while it comes. */
export class JobOutput {
  private readonly pieces: string[] = [];
  private recent = '';

  constructor(private readonly onUpdate: ((partial: ToolResult) => void) | undefined) {}

  readonly add: NonNullable<JobContext['onOutput']> = (text) => {
    this.pieces.push(text);
    if (!this.onUpdate) return;
    this.recent = (this.recent + text).slice(-MAX_BYTES);
    this.onUpdate({ content: [{ type: 'text', text: truncateTail(readable(this.recent)).content }] });
  };

  /** Keeps the end of the output; when that is not all, all of it goes to `/tmp/<name>-<n>.log`. */
  async present(fs: VirtualFileSystem, name: string): Promise<PresentedOutput> {
    const output = readable(this.pieces.join(''));
    const tail = truncateTail(output, { maxBytes: MAX_BYTES - NOTICE_BYTES });
    if (!tail.truncated) return { text: tail.content, notices: [], truncated: false };
    const { fullOutputPath, where } = await keep(fs, name, output);
    const from = tail.totalLines - tail.outputLines + 1;
    const what = tail.lastLinePartial
      ? `the last ${formatBytes(tail.outputBytes)} of line ${tail.totalLines}`
      : `lines ${from}-${tail.totalLines} of ${tail.totalLines}`;
    return {
      text: tail.content,
      notices: [`Showing ${what}. ${where}`],
      truncated: true,
      ...(!tail.lastLinePartial && { lines: { shown: tail.outputLines, total: tail.totalLines } }),
      ...(fullOutputPath !== undefined && { fullOutputPath }),
    };
  }
}

/** Text that any server takes. */
function readable(output: string): string {
  return wellFormed(output).replaceAll('\0', '\ufffd');
}

async function keep(
  fs: VirtualFileSystem,
  name: string,
  output: string,
): Promise<{ fullOutputPath?: string; where: string }> {
  let number = 1;
  while (fs.exists(`/tmp/${name}-${number}.log`)) number++;
  const path = `/tmp/${name}-${number}.log`;
  try {
    await fs.runExclusive(path, () => fs.writeText(path, output));
    return { fullOutputPath: path, where: `All of the output is in ${path}.` };
  } catch (error) {
    return { where: `The whole output could not be kept: ${errorMessage(error)}` };
  }
}

/** A text with notices below it; without a text, just the notices. */
export function withNotices(text: string, notices: readonly string[]): string {
  const lines = notices.map((notice) => `[${notice}]`).join('\n');
  if (lines === '') return text;
  return text === '' ? lines : `${text.replace(/\n$/, '')}\n\n${lines}`;
}

/** The reason why a job was stopped; rethrows any other error. */
export function stopReason(error: unknown): StopReason {
  if (error instanceof JobStopped) return error.reason;
  throw error;
}

export function seconds(ms: number): string {
  return ms === 1000 ? '1 second' : `${ms / 1000} seconds`;
}
