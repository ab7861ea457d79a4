import { describe, expect, it } from 'vitest';
import { fold } from './fold';
import { Recording, type DecideValues } from './testing/recording';
import { why } from './why';

function decided(loop: 'inner' | 'outer', go: boolean, values: Partial<DecideValues>) {
  const recording = new Recording();
  const run = recording.startRun();
  recording.decide(run, undefined, loop, go, values);
  return why(fold(recording.records));
}

describe('the sentence that says why', () => {
  it.each([
    ['inner', true, { toolResults: 2 }, 'why.goesOn.toolResults', { n: 2 }],
    ['inner', true, { pending: 1 }, 'why.goesOn.steering', { n: 1 }],
    ['inner', true, { toolResults: 2, terminated: true, pending: 1 }, 'why.goesOn.steering', { n: 1 }],
    ['inner', true, { toolResults: 2, pending: 1 }, 'why.goesOn.both', { n: 2, waiting: 1 }],
    ['inner', false, {}, 'why.asksOuter.nothing', undefined],
    ['inner', false, { toolResults: 1, terminated: true }, 'why.asksOuter.terminated', { n: 1 }],
    ['inner', false, { stopReason: 'error' }, 'why.stops.error', undefined],
    ['inner', false, { stopReason: 'aborted' }, 'why.stops.aborted', undefined],
    ['inner', false, { toolResults: 2, finishTurn: 'end' }, 'why.stops.finishTurn', undefined],
    ['outer', true, { followUps: 1 }, 'why.goesOn.followUp', { n: 1 }],
    ['outer', true, { followUps: 0, finishTurn: 'continue' }, 'why.goesOn.finishTurn', undefined],
    ['outer', false, { followUps: 0 }, 'why.stops.nothing', undefined],
    ['outer', false, { toolResults: 3, terminated: true }, 'why.stops.terminated', { n: 3 }],
  ] as const)('of the %s loop, go %s, %o is %s', (loop, go, values, code, params) => {
    expect(decided(loop, go, values)).toEqual(params ? { code, params } : { code });
  });

  it('is unknown before the first decision', () => {
    const recording = new Recording();
    recording.startRun();
    expect(why(fold(recording.records))).toBeUndefined();
  });

  it('names the failure when something broke the run after it had decided to go on', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    recording.decide(run, turn, 'inner', true, { toolResults: 1 });
    recording.assistant(run, turn, { blocks: [], stopReason: 'error' });
    recording.endRun(run);
    expect(why(fold(recording.records))).toEqual({ code: 'why.stops.error' });
  });

  it('names the failure of a hook between two turns, and of a queue that cannot be read', () => {
    for (const go of [true, false]) {
      const recording = new Recording();
      const run = recording.startRun();
      const turn = recording.startTurn(run);
      recording.decide(run, turn, 'inner', go, go ? { toolResults: 1 } : {});
      const body = { blocks: [], stopReason: 'error' as const, chunk: 0, errorMessage: 'It broke.' };
      recording.failure('turn that never starts', body);
      recording.endRun(run);
      const trace = fold(recording.records);
      expect(why(trace)).toEqual({ code: 'why.stops.error' });
      expect(trace.runs[0]).toMatchObject({ status: 'error', stopReason: 'error' });
    }
  });

  it('names the limit of requests that the run came to, whatever it is set to later', () => {
    const ended = (limit: number) => {
      const recording = new Recording();
      recording.add({ type: 'config', set: { requestLimit: limit } });
      const run = recording.startRun();
      const turn = recording.startTurn(run);
      recording.assistant(run, turn, { blocks: [] });
      recording.decide(run, turn, 'inner', false, { toolResults: 1, finishTurn: 'end' });
      recording.endRun(run);
      recording.add({ type: 'config', set: { requestLimit: 9 } });
      return why(fold(recording.records));
    };
    expect(ended(1)).toEqual({ code: 'why.stops.requestLimit', params: { n: 1 } });
    expect(ended(2)).toEqual({ code: 'why.stops.finishTurn' });
    expect(ended(0)).toEqual({ code: 'why.stops.finishTurn' });
  });

  it('says that the run was interrupted when its tab went away', () => {
    const recording = new Recording();
    recording.startRun();
    recording.add({ type: 'interrupted' });
    expect(why(fold(recording.records))).toEqual({ code: 'why.stops.interrupted' });
  });
});
