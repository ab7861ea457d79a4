/** How fast an answer streamed: characters a delta, and ms between two. */
import { pieces } from '../json/pieces';
import type { RecordOf } from '../records/types';
import type { ScriptedBlock, ScriptedTurn } from './types';

type Update = RecordOf<'message_update'>;
export type Pace = Pick<ScriptedTurn, 'chunk' | 'gapMs'>;

export const usualChunk = 6;
const usualGapMs = 24;
/** Less than this is no pace that anybody sees: pieces are put together instead. */
const shortestGapMs = 8;
const maxCandidates = 5_000;

/** How a block streamed: deltas, and after how many of them how many characters had come. */
interface Flow {
  text: string;
  deltas: number;
  marks: { deltas: number; characters: number }[];
}

/** The pace of a script that gives the same deltas; where none does, the average one. `endAt`: ms, of the answer. */
export function paceOf(
  blocks: readonly ScriptedBlock[],
  updates: readonly Update[],
  endAt: number | undefined,
): Pace {
  const flows = blocks.map((block, index) => flowOf(textOfBlock(block), index, updates));
  const gap = averageGap(updates, endAt);
  const exact = sameChunk(flows);
  if (exact !== undefined) return pace(exact, gap);
  const characters = flows.reduce((sum, { text }) => sum + text.length, 0);
  const deltas = flows.reduce((sum, flow) => sum + flow.deltas, 0);
  const chunk = Math.max(1, Math.round(characters / Math.max(1, deltas)));
  if (gap === undefined || gap >= shortestGapMs) return pace(chunk, gap);
  const together = Math.ceil(shortestGapMs / Math.max(gap, shortestGapMs / 100));
  return pace(chunk * together, gap * together);
}

/** What a script streams of a block. */
export function textOfBlock(block: ScriptedBlock): string {
  if (block.type === 'text') return block.text;
  if (block.type === 'thinking') return block.thinking;
  return 'rawArguments' in block ? block.rawArguments : JSON.stringify(block.arguments);
}

function pace(chunk: number, gap: number | undefined): Pace {
  const gapMs = gap === undefined ? usualGapMs : Math.min(3_600_000, Math.round(gap));
  return {
    ...(chunk === usualChunk ? {} : { chunk: Math.min(chunk, 1_000_000) }),
    ...(gapMs === usualGapMs ? {} : { gapMs }),
  };
}

function flowOf(text: string, index: number, updates: readonly Update[]): Flow {
  const flow: Flow = { text, deltas: 0, marks: [] };
  let characters = 0;
  for (const update of updates) {
    if (update.index !== index || update.delta === undefined) continue;
    flow.deltas += update.joined ?? 1;
    characters += update.delta.length;
    flow.marks.push({ deltas: flow.deltas, characters });
  }
  return flow;
}

/** The usual size, else the smallest that gives exactly these deltas. */
function sameChunk(flows: readonly Flow[]): number | undefined {
  // Whole pieces are as long as the chunk, or one longer where a surrogate pair stays together.
  const smallest = Math.max(
    1,
    ...flows.map(({ text, deltas }) => Math.ceil(text.length / (2 * deltas || 1))),
  );
  const largest = Math.min(
    ...flows.map(({ text, deltas }) => (deltas > 1 ? (text.length - 1) / (deltas - 1) : Infinity)),
    Math.max(1, ...flows.map(({ text }) => text.length)),
    smallest + maxCandidates,
  );
  const fits = (chunk: number) => flows.every((flow) => isCutBy(flow, chunk));
  if (fits(usualChunk)) return usualChunk;
  for (let chunk = smallest; chunk <= largest; chunk++) if (fits(chunk)) return chunk;
  return undefined;
}

function isCutBy({ text, deltas, marks }: Flow, chunk: number): boolean {
  let count = 0;
  let characters = 0;
  let mark = 0;
  for (const piece of pieces(text, chunk)) {
    if (++count > deltas) return false;
    characters += piece.length;
    if (marks[mark]?.deltas !== count) continue;
    if (marks[mark]?.characters !== characters) return false;
    mark++;
  }
  return count === deltas;
}

/** ms: from the first update to the last whose own time is known, by the gaps between them; without a gap undefined. */
function averageGap(updates: readonly Update[], endAt: number | undefined): number | undefined {
  const first = updates[0];
  const begun = new Set<number>();
  let gaps = 0;
  let average: number | undefined;
  for (const { index, delta, event, joined = 1, at } of updates) {
    const waits = delta === undefined ? event.endsWith('_start') && index > 0 : begun.has(index);
    if (delta !== undefined) begun.add(index);
    if (waits) gaps++;
    if (first && gaps > 0) average = (at - first.at) / gaps;
    // The time of joined deltas is that of the first.
    gaps += joined - 1;
  }
  if (average === undefined && first && endAt !== undefined && gaps > 0) return (endAt - first.at) / gaps;
  return average;
}
