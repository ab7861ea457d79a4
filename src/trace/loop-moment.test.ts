import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyTrace, fold, foldInto } from './fold';
import { loopMoment } from './loop-moment';
import type { LoopThing } from './loop-moment';
import { loopPlace } from './loop-place';
import { LoopRecording } from './testing/loop-recording';
import { randomSession } from './testing/random-session';

const recording = new LoopRecording().begin();
recording.enqueue('steering', 'wait');
recording.answer(['read']).batch('parallel', 1).wholeCall(0, 'read').end();
recording.poll('turnEnd', 1).decided('inner', true, { toolResults: 1, pending: 1 });
recording.nextTurn().inject(1);
recording.answer().end().poll('turnEnd', 0).decided('inner', false);
recording.poll('stop', 1).decided('outer', true, { followUps: 1 }).hook('prepareNextTurn');
recording.nextTurn().inject(1).answer().end().poll('turnEnd', 0).decided('inner', false);
const trace = fold(recording.records);
const [firstTurn] = trace.turns.keys();

/** The nth note of which this is true, from 0. */
function note(nth: number, isMeant: (text: string) => boolean): LoopThing {
  const found = trace.notes.filter(({ note }) => isMeant(JSON.stringify(note)))[nth];
  return { kind: 'note', seq: found?.seq ?? -1 };
}

describe('the moment of what is selected', () => {
  it('has the values as they were, also of a turn that is long over', () => {
    expect(
      loopMoment(
        trace,
        note(0, (text) => text.includes('"turnEnd"')),
      ),
    ).toEqual({
      station: 'pollSteering',
      line: 'pollTurnEnd',
      turn: { id: firstTurn, n: 1 },
      value: '1',
    });
    expect(
      loopMoment(
        trace,
        note(0, (text) => text.includes('"inner"')),
      ),
    ).toEqual({
      station: 'innerGoOn',
      line: 'while',
      turn: { id: firstTurn, n: 1 },
      value: 'true',
      condition: {
        terms: [
          ['more', 'true'],
          ['pending', '1'],
        ],
        result: true,
      },
    });
    expect(
      loopMoment(
        trace,
        note(0, (text) => text.includes('"outer"')),
      ),
    ).toMatchObject({
      station: 'outerGoOn',
      line: 'again',
      value: 'true',
    });
  });

  it('is on the way that was taken: a hook before the next pass is at the station of that pass', () => {
    expect(
      loopMoment(
        trace,
        note(0, (text) => text.includes('prepareNextTurn')),
      ),
    ).toMatchObject({
      station: 'prepareNextPass',
      line: 'prepareNextTurn',
    });
  });

  it('is that of its message, its call and its turn', () => {
    const ids = [...trace.messages.values()].map(({ id }) => loopMoment(trace, { kind: 'message', id }));
    expect(ids.map((moment) => moment?.station)).toEqual(['start', 'stream', 'tools', 'stream', 'stream']);
    expect(ids[1]?.value).toBe('toolUse');
    const [call] = trace.calls.keys();
    expect(loopMoment(trace, { kind: 'call', id: call ?? '' })).toMatchObject({ line: 'tools', value: '1' });
    const turns = [...trace.turns.keys()].map((id) => loopMoment(trace, { kind: 'turn', id })?.line);
    expect(turns).toEqual(['prompts', 'turnStart', 'turnStart']);
  });

  it('is none of what is no step of the loop', () => {
    expect(loopMoment(trace, { kind: 'note', seq: 100_000 })).toBeUndefined();
    expect(loopMoment(trace, { kind: 'message', id: 'gone' })).toBeUndefined();
  });

  it('is where the loop stood when the step came, in any session', () => {
    fc.assert(
      fc.property(randomSession(), ({ records }) => {
        const growing = emptyTrace();
        const stood = records.flatMap((record) => {
          const { station, line, seq } = loopPlace(foldInto(growing, [record]));
          return record.type === 'step' && seq === record.seq ? [{ seq, station, line }] : [];
        });
        for (const { seq, ...place } of stood) {
          const moment = loopMoment(growing, { kind: 'note', seq });
          if (moment?.station !== 'prepareNextPass' && moment?.station !== 'pollNextPass')
            expect(moment).toMatchObject(place);
        }
      }),
      { numRuns: 40 },
    );
  });
});
