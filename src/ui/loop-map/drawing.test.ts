import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from '../../trace/fold';
import { loopMoment } from '../../trace/loop-moment';
import { loopPlace } from '../../trace/loop-place';
import { loopLines } from '../../trace/loop-stations';
import { LoopRecording } from '../../trace/testing/loop-recording';
import { randomSession } from '../../trace/testing/random-session';
import { chute, placedCards } from './chutes';
import { codeLines, stationsOf } from './code';
import { geometry } from './geometry';
import { selectionAt, selectionAtLine } from './selection';
import { batchText, mapText, stationOrder } from './texts';
import { tickAngles, tickStep } from './ticks';

const map = geometry('wide');

describe('the code', () => {
  it('has the lines that the trace knows, in their order', () => {
    expect(codeLines.map(({ line }) => line)).toEqual(loopLines);
  });

  it('fits its column', () => {
    const widths = codeLines.map(
      ({ indent, parts }) => 2 * indent + parts.map(([text]) => text).join('').length,
    );
    expect(Math.max(...widths)).toBeLessThanOrEqual(34);
  });

  it('has a line for each station', () => {
    expect(new Set(loopLines.flatMap(stationsOf))).toEqual(new Set(stationOrder));
  });
});

it('ticks stand apart, inside the ring, however much streamed', () => {
  fc.assert(
    fc.property(randomSession(), ({ records }) => {
      const angles = tickAngles(map, loopPlace(fold(records)));
      const { from, to } = map.legs.inner as { from: number; to: number };
      for (const [index, angle] of angles.entries()) {
        expect(angle >= from && angle <= to + 10).toBe(true);
        if (index > 0) expect(angle - (angles[index - 1] ?? 0)).toBeGreaterThanOrEqual(tickStep - 1e-6);
      }
    }),
    { numRuns: 40 },
  );
});

describe('a chute', () => {
  const cards = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: `${index}`,
      text: '',
      isFresh: false,
      stranded: false,
    }));

  it.each([
    [0, 0, 0],
    [3, 3, 0],
    [4, 2, 2],
    [9, 2, 7],
  ])('of %i cards shows %i, and says that there are %i more', (count, shown, more) => {
    const placed = placedCards(chute(map, 'steering'), cards(count));
    expect([placed.cards.length, placed.more]).toEqual([shown, more]);
  });

  it('has the next card lowest, and all of them between the rails', () => {
    for (const queue of ['steering', 'followUp'] as const) {
      const at = chute(map, queue);
      const { cards: placed } = placedCards(at, cards(3));
      expect(placed.map(({ y }) => y)).toEqual(placed.map(({ y }) => y).toSorted((a, b) => b - a));
      expect(placed.every(({ y, height }) => y >= at.top && y + height < at.poll.y)).toBe(true);
    }
  });
});

describe('what is selected', () => {
  const recording = new LoopRecording()
    .begin()
    .answer(['read'])
    .batch('parallel', 1)
    .wholeCall(0, 'read')
    .end();
  recording.poll('turnEnd', 0).decided('inner', true, { toolResults: 1 });
  const trace = fold(recording.records);
  const place = loopPlace(trace);

  it.each(['pollStart', 'inject', 'stream', 'tools', 'pollSteering', 'innerGoOn'] as const)(
    'at %s is the thing that happened there',
    (station) => {
      const selection = selectionAt(trace, place, station);
      if (selection?.kind === undefined || selection.kind === 'run') expect.fail('Nothing is selected.');
      expect(loopMoment(trace, selection)?.station).toBe(station);
    },
  );

  it('is nothing where the turn has not been', () => {
    for (const station of ['pollFollowUp', 'prepareRequest', 'stop'] as const)
      expect(selectionAt(trace, place, station)).toBeUndefined();
    for (const line of ['outer', 'finishTurn', 'pollFollowUp', 'stop'] as const)
      expect(selectionAtLine(trace, place, line)).toBeUndefined();
  });

  it('at a line of the code is the step that made its value, also where the loop does not stand', () => {
    const decision = selectionAt(trace, place, 'innerGoOn');
    expect(decision).toMatchObject({ kind: 'note' });
    expect((['while', 'broken'] as const).map((line) => selectionAtLine(trace, place, line))).toEqual([
      decision,
      decision,
    ]);
    expect(selectionAtLine(trace, place, 'more')).toMatchObject({ kind: 'call' });
  });
});

describe('the map in words', () => {
  const asked = () =>
    new LoopRecording().begin().answer(['read']).batch('parallel', 1).wholeCall(0, 'read').end();
  const text = ({ records }: LoopRecording, past = false) => mapText(loopPlace(fold(records)), past);

  it('says where the token is and what follows', () => {
    expect(text(new LoopRecording())).toBe('Loop map: there was no run yet.');
    expect(text(asked().poll('turnEnd', 1).decided('inner', true, { toolResults: 1, pending: 1 }))).toBe(
      'Loop map: turn 1, outer pass 1. The token is at “go on?”. It goes on. It carries 1 message.',
    );
    expect(text(asked().decided('inner', false), true)).toBe(
      'Loop map of the past: turn 1, outer pass 1. The cursor is at “go on?”. It leaves the inner loop.',
    );
  });

  it('says how a run ended', () => {
    const aborted = new LoopRecording().begin().answer([], { stopReason: 'aborted' }).end();
    expect(text(aborted.decided('inner', false, { stopReason: 'aborted' }).close())).toBe(
      'Loop map: turn 1, outer pass 1. The run was aborted at “stream”.',
    );
    expect(text(asked().decided('inner', false).decided('outer', false).close())).toBe(
      'Loop map: turn 1, outer pass 1. The run has ended.',
    );
  });

  it.each([
    [['read'], 'parallel', 'read'],
    [['edit', 'read'], 'parallel', 'edit and read, in parallel'],
    [['read', 'read'], 'sequential', '2 × read, in sequence'],
    [['read', 'edit', 'read'], 'parallel', '3 calls, in parallel'],
    [['read'], 'refused', 'read: not run, cut off'],
  ] as const)('names the batch of %j, %s', (tools, mode, expected) => {
    const calls = tools.map((tool) => ({ tool, phase: 'waiting' as const, hasRun: false, isError: false }));
    expect(batchText({ mode, calls, done: 0, asksForMore: false, progress: 0 })).toBe(expected);
  });
});
