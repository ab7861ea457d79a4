import { describe, expect, it } from 'vitest';
import { fold } from './fold';
import { OutlineRows } from './rows-live';
import type { Row } from './rows';
import { Recording } from './testing/recording';

/** The rows that are about files, and the one that stands for the file with this path. */
function filesOf({ records }: Recording, path?: string) {
  const outline = new OutlineRows(() => 1);
  const trace = fold(records);
  outline.update(trace, records);
  const rows = Array.from({ length: outline.length }, (_, index) => outline.row(index)!);
  const note = trace.notes.find((each) => each.note.type === 'file' && each.note.path === path);
  return {
    rows: rows.flatMap(words),
    nearest: note && words(outline.row(outline.nearest(`note:${note.seq}`))!)[0],
  };
}

function words(row: Row): string[] {
  if (row.kind === 'files') return [`${row.files} files ${row.change ?? 'of many fates'}`];
  return row.kind === 'note' && row.note.note.type === 'file' ? [`${row.change} ${row.note.note.path}`] : [];
}

function upload(recording: Recording, count: number, wait = 0, name = 'f'): void {
  for (let n = 1; n <= count; n++)
    recording.add({ type: 'file_change', path: `/${name}${n}`, by: 'person', after: { text: 'x' } }, wait);
}

/** A call that adds so many files. */
function callThatAdds(count: number): Recording {
  const recording = new Recording();
  const run = recording.startRun();
  const turn = recording.startTurn(run);
  const blocks = [{ type: 'toolCall' as const, name: 'bash', arguments: { command: 'make' } }];
  const call = recording.startCall(run, turn, recording.assistant(run, turn, { blocks }), 0, 'bash');
  for (let n = 1; n <= count; n++)
    recording.add({ type: 'file_change', path: `/f${n}`, by: 'tool', call, after: { text: 'x' } }, 0);
  recording.endCall(call, 'made');
  return recording;
}

describe('rows of changed files', () => {
  it('what a person uploads in one moment is one row that opens, and stands for its files', () => {
    const recording = new Recording();
    upload(recording, 12);
    expect(filesOf(recording, '/f7')).toEqual({ rows: ['12 files added'], nearest: '12 files added' });
  });

  it('another moment, and what was deleted, are told apart', () => {
    const recording = new Recording();
    upload(recording, 1);
    upload(recording, 2, 2000, 'g');
    recording.add({ type: 'file_change', path: '/f1', by: 'person' }, 0);
    expect(filesOf(recording).rows).toEqual(['added /f1', 'added /g1', '2 files of many fates']);
  });

  it('the files of a call are one row as well, but for a few', () => {
    expect(filesOf(callThatAdds(3)).rows).toEqual(['added /f1', 'added /f2', 'added /f3']);
    expect(filesOf(callThatAdds(4), '/f4')).toEqual({ rows: ['4 files added'], nearest: '4 files added' });
  });
});
