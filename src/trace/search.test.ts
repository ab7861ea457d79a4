import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyTrace, fold, foldInto } from './fold';
import { searchTrace, traceSearch, type SearchHit } from './search';
import { randomSession } from './testing/random-session';
import { Recording } from './testing/recording';

/** A prompt, thinking, an answer with a call whose output is long, a call that fails, and a failure at the end. */
function session(): Recording {
  const recording = new Recording();
  const run = recording.startRun();
  const turn = recording.startTurn(run);
  recording.user(turn, 'Find the Needle.');
  const answer = recording.assistant(run, turn, {
    blocks: [
      { type: 'thinking', text: 'A needle? Where?' },
      { type: 'text', text: 'I look for the needle.' },
      { type: 'toolCall', name: 'grep', arguments: { pattern: 'needle', path: 'hay' } },
      { type: 'toolCall', name: 'read', arguments: { path: 'needle.txt' } },
    ],
  });
  const grep = recording.startCall(run, turn, answer, 2, 'grep');
  const read = recording.startCall(run, turn, answer, 3, 'read');
  recording.endCall(grep, `${'hay\n'.repeat(500)}the NEEDLE is here\n${'hay\n'.repeat(500)}`);
  recording.endCall(read, 'needle.txt: no such file', true);
  const results = [recording.result(turn, grep, 'grep'), recording.result(turn, read, 'read')];
  recording.add({ type: 'hook', run, turn, name: 'finishTurn', durationMs: 1, decision: { action: 'end' } });
  recording.endTurn(turn, answer, results);
  const last = recording.startTurn(run);
  recording.add({ type: 'http', run, turn: last, attempt: 1, status: 500, error: 'needle overload' });
  const failed = { blocks: [], stopReason: 'error' as const, errorMessage: 'The needle broke.' };
  recording.assistant(run, last, failed);
  return recording;
}

const found = (hits: SearchHit[]) =>
  hits.map(({ ref, field, excerpt, from, to, places }) => [ref.kind, field, excerpt.slice(from, to), places]);

describe('a search', () => {
  it('finds the text in any case, in messages, thinking, arguments, output and errors, in order', () => {
    const hits = searchTrace(fold(session().records), { text: 'nEEdle' });
    expect(found(hits)).toEqual([
      ['message', 'text', 'Needle', 1],
      ['message', 'thinking', 'needle', 2],
      ['call', 'arguments', 'needle', 2],
      ['call', 'arguments', 'needle', 2],
      ['note', 'error', 'needle', 1],
      ['message', 'error', 'needle', 1],
    ]);
    expect(hits.map(({ seq }) => seq)).toEqual(hits.map(({ seq }) => seq).toSorted((a, b) => a - b));
  });

  it('gives each thing once, with the first place in it and how many there are', () => {
    const [hit, ...others] = searchTrace(fold(session().records), { text: 'NEEDLE is' });
    expect(others).toEqual([]);
    expect(hit).toMatchObject({
      field: 'output',
      places: 1,
      offset: 2004,
      excerpt: expect.stringMatching(/^….*the NEEDLE is here.*…$/) as string,
    });
    const again = new Recording();
    const turn = again.startTurn(again.startRun());
    again.user(turn, 'one, one and one');
    expect(searchTrace(fold(again.records), { text: 'one' })).toMatchObject([{ offset: 0, places: 3 }]);
  });

  it('of a failed call gives the call, not its result beside it, and says the error', () => {
    const failed = searchTrace(fold(session().records), { text: '', errorsOnly: true, tool: 'read' });
    expect(failed.map(({ ref, excerpt }) => [ref.kind, excerpt])).toEqual([
      ['call', 'needle.txt: no such file'],
    ]);
  });

  it('leads to what a call did rather than to the name of its tool', () => {
    const [hit] = searchTrace(fold(session().records), { text: 'read' });
    expect(hit).toMatchObject({ ref: { kind: 'call' }, field: 'toolName' });
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    const answer = recording.assistant(run, turn, {
      blocks: [{ type: 'toolCall', name: 'read', arguments: { path: 'read.me' } }],
    });
    recording.endCall(recording.startCall(run, turn, answer, 0, 'read'), 'done');
    expect(searchTrace(fold(recording.records), { text: 'read' })).toMatchObject([
      { field: 'arguments', places: 2 },
    ]);
  });

  it('takes the text as it is, not as a pattern', () => {
    const trace = fold(session().records);
    expect(searchTrace(trace, { text: 'needle.txt' })).toMatchObject([{ places: 2 }]);
    expect(searchTrace(trace, { text: 'n.edle' })).toEqual([]);
    expect(searchTrace(trace, { text: '(' })).toEqual([]);
  });

  it('keeps to types, to a tool and to what failed, together', () => {
    const trace = fold(session().records);
    const things = (query: object) =>
      found(searchTrace(trace, { text: 'needle', ...query })).map(([kind, field]) => [kind, field]);
    expect(things({ types: ['assistant'] })).toEqual([
      ['message', 'thinking'],
      ['message', 'error'],
    ]);
    expect(things({ tool: 'grep' })).toEqual([['call', 'arguments']]);
    expect(things({ errorsOnly: true })).toEqual([
      ['call', 'arguments'],
      ['note', 'error'],
      ['message', 'error'],
    ]);
    expect(things({ errorsOnly: true, tool: 'read', types: ['call'] })).toEqual([['call', 'arguments']]);
  });

  it('without a text gives everything that passes, once', () => {
    const hits = searchTrace(fold(session().records), { text: '', types: ['call', 'hook'] });
    expect(hits.map(({ ref, excerpt }) => [ref.kind, excerpt])).toEqual([
      ['call', 'grep'],
      ['call', 'needle.txt: no such file'],
      ['note', 'finishTurn'],
    ]);
  });

  it('finds what streams, as far as it has come', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    const message = recording.request(run, turn);
    recording.add({ type: 'message_start', message, turn, role: 'assistant', origin: 'model' });
    recording.stream(message, { blocks: [{ type: 'text', text: 'half a needle' }], chunk: 3 });
    const search = traceSearch({ text: 'needle' });
    const trace = emptyTrace();
    const counts = recording.records.map((record) => search(foldInto(trace, [record])).length);
    expect(counts.at(0)).toBe(0);
    expect(counts.at(-1)).toBe(1);
  });

  it('that remembers what has ended finds the same as a new one, at every record', () => {
    fc.assert(
      fc.property(randomSession(), fc.constantFrom('a', 'of', 'READ', '.txt', ''), ({ records }, text) => {
        const search = traceSearch({ text });
        const trace = emptyTrace();
        for (let index = 0; index < records.length; index += 7) {
          foldInto(trace, records.slice(index, index + 7));
          expect(search(trace)).toEqual(searchTrace(trace, { text }));
        }
      }),
      { numRuns: 25 },
    );
  });

  it('finds every part of a text at its place, in letters whose lower case is longer, too', () => {
    const letters = fc.string({
      unit: fc.constantFrom('İ', 'ß', 'Σ', 'ς', 'a', 'É', '😀', '中', '\n'),
      minLength: 1,
      maxLength: 90,
    });
    fc.assert(
      fc.property(letters, fc.nat(), fc.integer({ min: 1, max: 9 }), (text, start, length) => {
        const from = start % text.length;
        const part = text.slice(from, from + length);
        const recording = new Recording();
        recording.user(recording.startTurn(recording.startRun()), text);
        const hits = searchTrace(fold(recording.records), { text: part });
        const lower = (given: string) =>
          given
            .replace(/[\r\n\t]/g, ' ')
            .toLowerCase()
            .replaceAll('ς', 'σ');
        expect(hits.length).toBeGreaterThan(0);
        for (const hit of hits) {
          expect(lower(hit.excerpt.slice(hit.from, hit.to))).toBe(lower(part));
          expect(lower(text.slice(hit.offset, hit.offset + part.length))).toBe(lower(part));
        }
      }),
    );
  });
});
