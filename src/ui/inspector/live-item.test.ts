import { describe, expect, it } from 'vitest';
import { fold } from '../../trace';
import { Recording } from '../../trace/testing/recording';
import { liveItem } from './live-item';

const asks = {
  blocks: ['read', 'write'].map((name) => ({ type: 'toolCall' as const, name, arguments: {} })),
};

describe('what an inspector that follows the run shows', () => {
  it('is nothing before the first run, then the run and its turn', () => {
    const recording = new Recording();
    expect(liveItem(fold(recording.records))).toBeUndefined();
    const run = recording.startRun();
    expect(liveItem(fold(recording.records))).toEqual({ kind: 'run', id: run });
    const turn = recording.startTurn(run);
    recording.request(run, turn);
    expect(liveItem(fold(recording.records))).toEqual({ kind: 'turn', id: turn });
  });

  it('is the answer, then the call that runs, and stays at the last one when it has ended', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    const message = recording.assistant(run, turn, asks);
    const shown = () => liveItem(fold(recording.records));
    expect(shown()).toEqual({ kind: 'message', id: message });
    const first = recording.startCall(run, turn, message, 0, 'read');
    const second = recording.startCall(run, turn, message, 1, 'write');
    expect(shown()).toEqual({ kind: 'call', id: second });
    recording.endCall(second, 'done');
    expect(shown()).toEqual({ kind: 'call', id: first });
    recording.endCall(first, 'done');
    expect(shown()).toEqual({ kind: 'call', id: second });
  });
});
