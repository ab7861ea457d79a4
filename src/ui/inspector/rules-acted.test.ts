import { describe, expect, it } from 'vitest';
import { fold } from '../../trace';
import { Recording } from '../../trace/testing/recording';
import { rulesActed } from './rules-acted';

const asks = { blocks: [{ type: 'toolCall' as const, name: 'write', arguments: {} }] };

/** A turn in which a rule blocks a call, and two rules act at its end; one of these is gone. */
function session() {
  const recording = new Recording();
  recording.add({
    type: 'config',
    set: {
      rules: [
        { id: 'block', rule: 'block', tool: 'write' },
        { id: 'level', rule: 'thinkingLevel', level: 'high' },
      ],
    },
  });
  const run = recording.startRun();
  const turn = recording.startTurn(run);
  const message = recording.assistant(run, turn, asks);
  const call = recording.startCall(run, turn, message, 0, 'write');
  const hook = { type: 'hook' as const, run, turn, durationMs: 1 };
  recording.add({ ...hook, call, name: 'beforeToolCall', decision: { block: true }, rules: ['block'] });
  recording.endCall(call, 'blocked', true);
  recording.add({ ...hook, name: 'afterToolCall', call });
  recording.add({ ...hook, name: 'prepareNextTurn', rules: ['level', 'gone'] });
  return { trace: fold(recording.records), turn, call, seq: recording.records.length };
}

describe('the rules that acted', () => {
  it('on a call are those of its hooks', () => {
    const { trace, call } = session();
    expect(rulesActed(trace, { kind: 'call', id: call })).toMatchObject([
      { rule: { id: 'block' }, note: { name: 'beforeToolCall' } },
    ]);
  });

  it('in a turn are all of them in order, also those that are gone', () => {
    const { trace, turn } = session();
    const acts = rulesActed(trace, { kind: 'turn', id: turn });
    expect(acts.map(({ rule }) => rule?.id)).toEqual(['block', 'level', undefined]);
    expect(new Set(acts.map(({ key }) => key)).size).toBe(3);
  });

  it('in a hook are its own, and a run has none of its own', () => {
    const { trace, seq } = session();
    expect(rulesActed(trace, { kind: 'note', seq }).map(({ rule }) => rule?.id)).toEqual([
      'level',
      undefined,
    ]);
    expect(rulesActed(trace, { kind: 'run', id: trace.runs[0]?.id ?? '' })).toEqual([]);
  });
});
