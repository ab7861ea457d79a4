import { expect, it } from 'vitest';
import { fold } from '../../trace';
import { loopPlace } from '../../trace/loop-place';
import { LoopRecording } from '../../trace/testing/loop-recording';
import { cargoOf, pollAt } from './cargo';

it('the token carries what a poll took until it has arrived at the inject station, and the poll tells of it only while it is there', () => {
  const recording = new LoopRecording()
    .begin()
    .answer(['read'])
    .batch('parallel', 1)
    .wholeCall(0, 'read')
    .end();
  const told = (hasArrived: boolean) => {
    const place = loopPlace(fold(recording.records));
    return [cargoOf(place, hasArrived)?.count, pollAt(place)?.count];
  };
  expect(told(false)).toEqual([undefined, undefined]);
  recording.poll('turnEnd', 2);
  expect(told(true)).toEqual([2, 2]);
  recording.decided('inner', true, { pending: 2 }).nextTurn();
  expect(told(true)).toEqual([2, undefined]);
  recording.inject(2);
  expect([told(false), told(true)]).toEqual([
    [2, undefined],
    [undefined, undefined],
  ]);
});
