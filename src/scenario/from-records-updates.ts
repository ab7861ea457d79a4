/** Where the updates of an answer come when a script plays it. */
import { pieces } from '../json/pieces';
import type { RecordOf } from '../records/types';
import { textOfBlock, usualChunk } from './from-records-pace';
import type { ReplayedUpdates } from './from-records-positions';
import type { ScriptedTurn } from './types';

type Update = RecordOf<'message_update'>;

/** What was recorded of an update: its block, and the characters of it that had come then. */
interface Seen {
  index: number;
  kind: 'start' | 'delta' | 'end';
  characters: number;
}

export function replayedUpdates(turn: ScriptedTurn, recorded: readonly Update[]): ReplayedUpdates {
  const { blocks, chunk = usualChunk, noStart, stalls } = turn;
  if (noStart) return { count: 0, place: () => 0 };
  /** For each block, after each of its deltas the characters that have come. */
  const ends = blocks.map((block) => {
    let characters = 0;
    return Array.from(pieces(textOfBlock(block), chunk), (piece) => (characters += piece.length));
  });
  const open = stalls === 'inBlock' ? blocks.length - 1 : -1;
  const sizes = ends.map((deltas, index) => deltas.length + (index === open ? 1 : 2));
  const before = (index: number) => sizes.slice(0, index).reduce((sum, size) => sum + size, 0);
  const count = before(sizes.length);
  const place = ({ index, kind, characters }: Seen): number => {
    if (kind === 'start') return before(index) + 1;
    if (kind === 'end') return before(index + 1);
    const delta = ends[index]?.findIndex((end) => end >= characters) ?? -1;
    return delta === -1 ? before(index + 1) : before(index) + 2 + delta;
  };
  return {
    count,
    place: (nth) => {
      const seen = seenAt(recorded, nth);
      return seen ? Math.min(count, place(seen)) : count;
    },
  };
}

/** The nth update of these records, which may have joined several. */
function seenAt(recorded: readonly Update[], nth: number): Seen | undefined {
  const characters = new Map<number, number>();
  let past = 0;
  for (const { index, event, delta, joined = 1 } of recorded) {
    const before = characters.get(index) ?? 0;
    const length = delta?.length ?? 0;
    characters.set(index, before + length);
    past += joined;
    if (past < nth) continue;
    if (delta === undefined) {
      return { index, kind: event.endsWith('_start') ? 'start' : 'end', characters: before };
    }
    const share = (joined - (past - nth)) / joined;
    return { index, kind: 'delta', characters: before + Math.ceil(length * share) };
  }
  return undefined;
}
