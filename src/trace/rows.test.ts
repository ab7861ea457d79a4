import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from './fold';
import type { OutlineOptions, Row } from './rows';
import { OutlineRows } from './rows-live';
import { randomSession } from './testing/random-session';
import { Recording, userBody } from './testing/recording';
import type { Trace } from './types';

/** All rows of a new outline, with how many stand beside each. */
function outlineRows(trace: Trace, options: OutlineOptions = {}): (Row & { setSize: number })[] {
  const outline = new OutlineRows(() => 1);
  outline.update(trace, [], options);
  return rowsIn(outline);
}

function rowsIn(outline: OutlineRows): (Row & { setSize: number })[] {
  return Array.from({ length: outline.length }, (_, index) => {
    const row = outline.row(index)!;
    return { ...row, setSize: outline.setSize(row) };
  });
}

/** A row as one line, indented by its depth: kind, what it says, and what it took. */
function line(row: Row): string {
  const open = row.expandable ? (row.expanded ? 'v ' : '> ') : '- ';
  return '  '.repeat(row.depth) + open + words(row);
}

function words(row: Row): string {
  switch (row.kind) {
    case 'run':
    case 'turn':
      return `${row.kind} ${row.n} ${row.status}`;
    case 'message':
      return `${row.role} from ${row.origin}: ${row.text}`;
    case 'block':
      return `${row.block}: ${row.text}`;
    case 'deltas':
      return `${row.deltas} deltas`;
    case 'delta':
      return `delta ${row.text}`;
    case 'call':
      return `${row.tool} ${row.args} ${row.status}${row.result ? `: ${row.result.text}` : ''}`;
    case 'note':
      return row.noteKind;
    case 'files':
      return `${row.files} files ${row.change ?? 'of many fates'}`;
  }
}

function outline(recording: Recording, options?: OutlineOptions): string[] {
  return outlineRows(fold(recording.records), options).map(line);
}

function find<K extends Row['kind']>(recording: Recording, kind: K): Extract<Row, { kind: K }> {
  const isKind = (row: Row): row is Extract<Row, { kind: K }> => row.kind === kind;
  const rows: readonly Row[] = outlineRows(fold(recording.records));
  const row = rows.find(isKind);
  if (!row) throw new Error(`There is no row of kind ${kind}.`);
  return row;
}

/** Two turns: a read with a steering message on the way, and the answer. */
function sample() {
  const recording = new Recording();
  const run = recording.startRun();
  recording.step(run, undefined, { type: 'poll', queue: 'steering', at: 'start', count: 0 });
  const turn = recording.startTurn(run);
  recording.step(run, turn, { type: 'inject', prepared: 0, pending: 1, tools: false });
  recording.user(turn, 'Fix the test.\nIt fails.');
  const message = recording.assistant(run, turn, {
    blocks: [
      { type: 'thinking', text: 'Which case?' },
      { type: 'text', text: 'I read it.' },
      { type: 'toolCall', name: 'read', arguments: { path: '/a.ts' } },
    ],
  });
  const call = recording.startCall(run, turn, message, 2, 'read');
  const steering = recording.enqueue('steering', 'Keep the signature.');
  recording.add({ type: 'hook', run, turn, call, name: 'beforeToolCall', durationMs: 2 });
  recording.endCall(call, 'one\ntwo\n');
  const result = recording.result(turn, call, 'read');
  recording.add({ type: 'hook', run, turn, name: 'finishTurn', durationMs: 1 });
  recording.endTurn(turn, message, [result]);
  recording.unqueue('steering', 'drain', [steering]);
  recording.step(run, turn, { type: 'poll', queue: 'steering', at: 'turnEnd', count: 1 });
  recording.decide(run, turn, 'inner', true, { toolResults: 1, pending: 1 });
  const second = recording.startTurn(run);
  recording.user(second, 'Keep the signature.', 'steering', steering);
  const answer = recording.assistant(run, second, { blocks: [{ type: 'text', text: 'Done.' }] });
  recording.endTurn(second, answer);
  recording.endRun(run);
  return { recording, run, turn, second, message, call, steering };
}

describe('the outline', () => {
  it('nests runs, turns, messages and calls in the order in which they came', () => {
    expect(outline(sample().recording)).toEqual([
      'v run 1 done',
      '  - user from prompt: Fix the test.',
      '  - poll',
      '  v turn 1 done',
      '    v assistant from model: I read it.',
      '      - thinking: Which case?',
      '      - text: I read it.',
      '      > 12 deltas',
      '    v read /a.ts done: one',
      '      - hook',
      '    - hook',
      '    - poll',
      '    - decide',
      '  v turn 2 done',
      '    - user from steering: Keep the signature.',
      '    v assistant from model: Done.',
      '      - text: Done.',
      '      > 2 deltas',
    ]);
  });

  it('leaves out what is collapsed, and keeps deltas folded until they are asked for', () => {
    const { recording, run, turn, second, message } = sample();
    expect(outline(recording, { collapsed: new Set([`run:${run}`]) })).toEqual(['> run 1 done']);
    const collapsed = new Set([`turn:${turn}`, `turn:${second}`]);
    expect(outline(recording, { collapsed }).at(-2)).toBe('  > turn 1 done');
    const expanded = new Set([`message:${message}/deltas`]);
    expect(outline(recording, { expanded }).slice(7, 10)).toEqual([
      '      v 12 deltas',
      '        - delta Which ca',
      '        - delta se?',
    ]);
  });

  it('can close whole kinds, but for those that a person opened', () => {
    const { recording, second } = sample();
    const collapsedKinds = new Set(['turn', 'deltas'] as const);
    const expanded = new Set([`turn:${second}`]);
    expect(outline(recording, { collapsedKinds, expanded }).slice(3, 6)).toEqual([
      '  > turn 1 done',
      '  v turn 2 done',
      '    - user from steering: Keep the signature.',
    ]);
  });

  it('leaves out kinds of notes, and shows the quiet ones when they are asked for', () => {
    const { recording } = sample();
    const hidden = new Set(['poll', 'hook', 'decide'] as const);
    expect(outlineRows(fold(recording.records), { hidden }).some((row) => row.kind === 'note')).toBe(false);
    expect(outline(recording, { quiet: true })).toContain('    - inject');
  });

  it('shows history before the first run', () => {
    const recording = new Recording();
    recording.message({ origin: 'history' }, userBody('From before.'));
    recording.startRun();
    expect(outline(recording)).toEqual(['- user from history: From before.', '- run 1 running']);
  });

  it('counts the rows beside each row, and gives each a key of its own, in any session', () => {
    fc.assert(
      fc.property(randomSession(), fc.boolean(), ({ records }, quiet) => {
        const rows = outlineRows(fold(records), { collapsedKinds: new Set(), quiet });
        const byKey = new Map(rows.map((row) => [row.key, row]));
        expect(byKey.size).toBe(rows.length);
        const siblings = new Map<string | undefined, Row[]>();
        for (const row of rows) siblings.set(row.parent, [...(siblings.get(row.parent) ?? []), row]);
        for (const group of siblings.values())
          group.forEach((row, index) =>
            expect(row).toMatchObject({ posInSet: index + 1, setSize: group.length }),
          );
        for (const row of rows) {
          expect(siblings.has(row.key)).toBe(row.expanded);
          const parent = row.parent === undefined ? undefined : byKey.get(row.parent);
          expect(row.depth).toBe(parent ? parent.depth + 1 : 0);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('keeps its keys while the trace grows', () => {
    fc.assert(
      fc.property(randomSession(), fc.nat(), ({ records }, cut) => {
        const keys = (count: number) =>
          outlineRows(fold(records.slice(0, count)), { quiet: true })
            // A call's own row takes over from the block that announced it, and a row of files from the first of them.
            .filter((row) => row.kind !== 'block' && !(row.kind === 'note' && row.noteKind === 'file'))
            .map(({ key }) => key);
        const later = new Set(keys(records.length));
        for (const key of keys(cut % (records.length + 1))) expect(later).toContain(key);
      }),
    );
  });
});

describe('the row of a message', () => {
  it('tells where it waited, how long, and before which turn it joined', () => {
    const { recording, steering } = sample();
    const row = outlineRows(fold(recording.records)).find(({ key }) => key === `message:${steering}`);
    expect(row).toMatchObject({
      origin: 'steering',
      waited: { queue: 'steering', ms: 49, turn: 2, edited: false, moved: false },
    });
  });

  it('shows calls that are still being written, until they start', () => {
    const { recording, run, turn } = sample();
    const message = recording.request(run, turn);
    recording.add({ type: 'message_start', message, turn, role: 'assistant', origin: 'model' });
    const blocks = [{ type: 'toolCall' as const, name: 'write', arguments: { path: '/b.ts' } }];
    recording.stream(message, { blocks });
    const rows = outlineRows(fold(recording.records)).filter((row) => row.parent === `message:${message}`);
    expect(rows).toMatchObject([{ kind: 'block', block: 'toolCall', tool: 'write' }, { kind: 'deltas' }]);
  });

  it('carries what the provider said of a failure', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    const failed = { blocks: [], stopReason: 'error' as const, errorMessage: 'Too many requests' };
    recording.assistant(run, turn, failed);
    recording.endRun(run);
    expect(find(recording, 'message')).toMatchObject({ status: 'error', errorMessage: 'Too many requests' });
    expect(find(recording, 'turn').status).toBe('error');
  });

  it('says what a system message changes of the tools when it says nothing else, but not at the beginning', () => {
    const tool = (name: string) => ({ name, description: '', parameters: {} });
    const body = {
      role: 'system' as const,
      content: '',
      timestamp: 1,
      toolsAdded: [tool('grep')],
      toolsRemoved: [{ name: 'dig' }],
    };
    const textOf = (origin: 'history' | 'tools', more = {}) => {
      const recording = new Recording();
      recording.message({ origin }, { ...body, ...more });
      return find(recording, 'message').text;
    };
    expect(textOf('tools')).toBe('+ grep − dig');
    expect(textOf('tools', { content: 'Be kind.' })).toBe('Be kind.');
    expect(textOf('history')).toBe('');
  });

  it('needs no content: a role of the host’s own may have any shape', () => {
    const recording = new Recording();
    const body = { role: 'marker', timestamp: 1, content: [null, { text: 'here' }] };
    recording.message({ origin: 'history' }, body);
    expect(find(recording, 'message')).toMatchObject({ role: 'marker', text: 'here' });
  });
});

describe('the row of a call', () => {
  it('sums up its arguments and its result, and stands for the result’s message', () => {
    const { recording, call } = sample();
    expect(find(recording, 'call')).toMatchObject({
      key: `call:${call}`,
      tool: 'read',
      args: '/a.ts',
      result: { text: 'one', lines: 2, images: 0 },
      asking: false,
    });
    expect(outline(recording).some((text) => text.includes('toolResult'))).toBe(false);
  });

  it('shows the arguments that really ran', () => {
    const { recording, run, turn, message } = sample();
    const call = recording.startCall(run, turn, message, 2, 'read');
    const step = { type: 'execute' as const, toolName: 'read', args: { path: '/other.ts' } };
    recording.add({ type: 'step', run, turn, call, step });
    const rows = outlineRows(fold(recording.records));
    expect(rows.find(({ key }) => key === `call:${call}`)).toMatchObject({
      args: '/other.ts',
      status: 'running',
    });
  });

  it('has the calls of its code below it, among its notes', () => {
    const { recording, run, turn, message } = sample();
    const call = recording.startCall(run, turn, message, 2, 'js');
    const nested = recording.startNested(call, 'read', { path: 'n.txt' });
    recording.endNested(nested, 'text of n');
    recording.add({ type: 'file_change', path: '/b', by: 'tool', call, after: { text: 'x' } });
    const rows = outlineRows(fold(recording.records));
    const parent = rows.findIndex(({ key }) => key === `call:${call}`);
    expect(rows.slice(parent + 1, parent + 3)).toMatchObject([
      { kind: 'call', tool: 'read', args: 'n.txt', status: 'done', parent: `call:${call}`, setSize: 2 },
      { kind: 'note', noteKind: 'file', parent: `call:${call}` },
    ]);
  });

  it('says that a person is asked, with the question below it', () => {
    const { recording, run, turn, message } = sample();
    const call = recording.startCall(run, turn, message, 2, 'read');
    const subject = { toolName: 'read', args: {} };
    recording.add({ type: 'permission', ask: 'q', call, state: 'asked', subject });
    const rows = outlineRows(fold(recording.records));
    expect(rows.find(({ key }) => key === `call:${call}`)).toMatchObject({ asking: true });
    expect(rows.find(({ parent }) => parent === `call:${call}`)).toMatchObject({
      kind: 'note',
      noteKind: 'permission',
      ask: { id: 'q', state: 'asked' },
    });
  });
});
