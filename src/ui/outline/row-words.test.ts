import { expect, it } from 'vitest';
import { fold, OutlineRows } from '../../trace';
import type { RowHead } from '../../trace';
import { Recording } from '../../trace/testing/recording';
import { noteText } from './note-text';
import { rowThatBegins } from './row-words';

/** A turn that polls, decides, calls a tool without a text, changes files and rules, and fails. */
function outline() {
  const recording = new Recording();
  const run = recording.startRun();
  const turn = recording.startTurn(run);
  const answer = recording.assistant(run, turn, {
    blocks: [{ type: 'toolCall', name: 'measure', arguments: { path: 'a.txt' } }],
  });
  const call = recording.startCall(run, turn, answer, 0, 'measure');
  recording.endCall(call, 'no such file', true);
  recording.add({
    type: 'step',
    run,
    turn,
    step: { type: 'poll', queue: 'steering', at: 'turnEnd', count: 0 },
  });
  const values = { stopReason: 'toolUse' as const, toolResults: 1, terminated: false, pending: 0 };
  recording.add({ type: 'step', run, turn, step: { type: 'decide', loop: 'inner', go: true, values } });
  recording.add({ type: 'config', set: { rules: [{ id: 'a', rule: 'block', tool: 'rm' }] } });
  recording.add({ type: 'config', set: { rules: [{ id: 'a', on: false, rule: 'block', tool: 'rm' }] } });
  recording.endTurn(turn, answer);
  const last = recording.startTurn(run);
  const failed = { stopReason: 'error' as const, errorMessage: 'Overloaded.' };
  recording.assistant(run, last, { blocks: [{ type: 'text', text: 'Half an ans' }], ...failed });
  const rows = new OutlineRows((_: RowHead) => 20);
  rows.update(fold(recording.records), recording.records);
  return rows;
}

it.each([
  ['Run', 'run'],
  ['turn 2', 'turn'],
  ['measure', 'call'],
  ['go', 'note'],
  ['poll s', 'note'],
  ['sett', 'note'],
  ['calls', 'message'],
  ['overl', 'message'],
])('letters find the row by the words that it shows first: %s', (typed, kind) => {
  const rows = outline();
  expect(rows.row(rowThatBegins(rows, 0, typed))?.kind).toBe(kind);
});

it('a change of rules says which rule changed, and how', () => {
  const rows = outline();
  const said = Array.from({ length: rows.length }, (_, index) => rows.row(index)).flatMap((row) =>
    row?.kind === 'note' && row.noteKind === 'config' ? [noteText(row).detail] : [],
  );
  expect(said).toEqual([
    expect.stringMatching(/^new: Block .*rm/),
    expect.stringMatching(/^off: Block .*rm/),
  ]);
});
