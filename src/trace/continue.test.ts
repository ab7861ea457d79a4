import { describe, expect, it } from 'vitest';
import type { StopReason } from '../loop/types';
import { canRetry, continueKind } from './continue';
import { fold } from './fold';
import { Recording } from './testing/recording';

function ended(...stopReasons: StopReason[]) {
  const recording = new Recording();
  const run = recording.startRun();
  const turn = recording.startTurn(run);
  recording.user(turn, 'Do it.');
  const blocks = [{ type: 'text' as const, text: 'Well.' }];
  const ids = stopReasons.map((stopReason) => recording.assistant(run, turn, { blocks, stopReason }));
  recording.endRun(run);
  return { recording, ids };
}

describe('Continue', () => {
  it('is blocked while a run is open, also while it settles', () => {
    const recording = new Recording();
    const run = recording.startRun();
    expect(continueKind(fold(recording.records))).toEqual({ blocked: 'running' });
    recording.add({ type: 'agent_end', run, messages: [] });
    expect(continueKind(fold(recording.records))).toEqual({ blocked: 'running' });
  });

  it('is blocked without any message', () => {
    expect(continueKind(fold([]))).toEqual({ blocked: 'empty' });
  });

  it('is blocked while there is only a system message, as the agent refuses it', () => {
    const recording = new Recording();
    recording.message({ origin: 'history' }, { role: 'system', content: 'Be terse.', timestamp: 1 });
    expect(continueKind(fold(recording.records))).toEqual({ blocked: 'empty' });
  });

  it('asks at once when the last message is not the assistant’s', () => {
    expect(continueKind(fold(ended().recording.records))).toBe('request');
  });

  it('takes steering first, then a follow-up, when the last message is the assistant’s', () => {
    const { recording } = ended('stop');
    expect(continueKind(fold(recording.records))).toEqual({ blocked: 'nothingQueued' });
    recording.enqueue('followUp', 'later');
    expect(continueKind(fold(recording.records))).toBe('followUp');
    recording.enqueue('steering', 'now');
    expect(continueKind(fold(recording.records))).toBe('steering');
  });
});

describe('Retry', () => {
  it.each(['error', 'aborted'] as const)('drops an answer that ended as %s', (stopReason) => {
    const { recording, ids } = ended(stopReason);
    expect(canRetry(fold(recording.records))).toEqual(ids);
  });

  it('drops all failures at the end at once', () => {
    const { recording, ids } = ended('error', 'error');
    expect(canRetry(fold(recording.records))).toEqual(ids);
  });

  it.each(['stop', 'length'] as const)('is not there after an answer that ended as %s', (stopReason) => {
    expect(canRetry(fold(ended(stopReason).recording.records))).toBeUndefined();
  });

  it('is not there while a run is open', () => {
    const { recording } = ended('error');
    recording.startRun('request');
    expect(canRetry(fold(recording.records))).toBeUndefined();
  });

  it('needs something to go on with when the failure followed an answer', () => {
    const { recording, ids } = ended('stop', 'error');
    expect(canRetry(fold(recording.records))).toBeUndefined();
    recording.enqueue('followUp', 'later');
    expect(canRetry(fold(recording.records))).toEqual(ids.slice(1));
  });
});
