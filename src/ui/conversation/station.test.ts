import { describe, expect, it } from 'vitest';
import { Recording } from '../../trace/testing/recording';
import { stationOf } from './station';

describe('where the loop is', () => {
  it('follows a run from its start to its end', () => {
    const recording = new Recording();
    const seen: (string | undefined)[] = [];
    const look = () => seen.push(stationOf(recording.records));
    look();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    recording.user(turn, 'Go on.');
    look();
    recording.request(run, turn);
    look();
    const message = recording.assistant(run, turn, { blocks: [{ type: 'text', text: 'Well.' }] });
    look();
    const call = recording.startCall(run, turn, message, 1, 'read');
    recording.endCall(call, 'text');
    look();
    recording.endTurn(turn, message, [recording.result(turn, call, 'read')]);
    look();
    recording.step(run, turn, { type: 'poll', queue: 'steering', at: 'turnEnd', count: 0 });
    look();
    recording.decide(run, turn, 'inner', false, {});
    look();
    recording.step(run, undefined, { type: 'poll', queue: 'followUp', at: 'stop', count: 0 });
    look();
    recording.endRun(run);
    look();
    expect(seen).toEqual([
      undefined,
      'inject',
      'request',
      'stream',
      'tools',
      'finishTurn',
      'pollSteering',
      'goOn',
      'pollFollowUp',
      undefined,
    ]);
  });
});
