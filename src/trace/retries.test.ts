import { describe, expect, it } from 'vitest';
import { fold } from './fold';
import { attemptsOf, retryWait } from './retries';
import { Recording } from './testing/recording';

/** A request that was refused at 100 ms and is sent again 3 s later. */
function refused() {
  const recording = new Recording();
  const run = recording.startRun();
  const turn = recording.startTurn(run);
  recording.user(turn, 'Hello?');
  const message = recording.request(run, turn);
  const at = (recording.records.at(-1)?.at ?? 0) + 100;
  recording.add({ type: 'http', run, turn, attempt: 1, status: 429, waitMs: 3000, error: 'Too many' }, 100);
  return { recording, run, turn, message, at, trace: () => fold(recording.records) };
}

describe('the wait before a request is sent again', () => {
  it('counts down from the failed attempt, and names the one that comes', () => {
    const { trace, run, at } = refused();
    expect(retryWait(trace(), at)).toEqual({ run, attempt: 2, status: 429, waitMs: 3000, leftMs: 3000 });
    expect(retryWait(trace(), at + 2999)).toMatchObject({ leftMs: 1 });
  });

  it('is over when the next attempt begins, also while nothing is told of it yet', () => {
    const { trace, at } = refused();
    expect(retryWait(trace(), at + 3000)).toBeUndefined();
  });

  it('is over when the next attempt has ended, even if the clock lags', () => {
    const { recording, run, turn, trace, at } = refused();
    recording.add({ type: 'http', run, turn, attempt: 2, status: 200 });
    expect(retryWait(trace(), at + 10)).toBeUndefined();
  });

  it('ends with an abort, with the run, and with the tab that was waiting', () => {
    for (const type of ['abort', 'agent_end', 'interrupted'] as const) {
      const { recording, run, trace, at } = refused();
      if (type === 'agent_end') recording.add({ type, run, messages: [] });
      else if (type === 'abort') recording.add({ type, run });
      else recording.add({ type });
      expect(retryWait(trace(), at + 10), type).toBeUndefined();
    }
  });

  it('is none for a failure that is final, and none of an earlier turn', () => {
    const final = refused();
    final.recording.add({ type: 'http', run: final.run, turn: final.turn, attempt: 2, status: 401 });
    expect(retryWait(final.trace(), final.at + 10)).toBeUndefined();
    const { recording, run, turn, message, trace, at } = refused();
    recording.endTurn(turn, message);
    recording.startTurn(run);
    expect(retryWait(trace(), at + 10)).toBeUndefined();
  });
});

it('the attempts of a turn come in order, with status and wait', () => {
  const { recording, run, turn, trace } = refused();
  recording.add({ type: 'http', run, turn, attempt: 2, status: 200 });
  const all = trace();
  const node = all.turns.get(turn) ?? expect.fail();
  expect(attemptsOf(all, node)).toMatchObject([
    { attempt: 1, status: 429, waitMs: 3000, error: 'Too many' },
    { attempt: 2, status: 200 },
  ]);
});
