import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { emptyTrace, fold, foldInto } from '../../trace';
import { randomSession } from '../../trace/testing/random-session';
import { Recording } from '../../trace/testing/recording';
import { conversationItems } from './items';

describe('the items of a conversation', () => {
  it('are the last of all, and tell how many came before', () => {
    fc.assert(
      fc.property(randomSession(), fc.integer({ min: 1, max: 40 }), ({ records }, limit) => {
        const trace = fold(records);
        const all = conversationItems(trace, Infinity);
        const last = conversationItems(trace, limit);
        expect(all.earlier).toBe(0);
        expect(last.items).toEqual(all.items.slice(-limit));
        expect(last.earlier).toBe(all.items.length - last.items.length);
      }),
    );
  });

  it('say the same of a trace that grew as of one that was read at once', () => {
    fc.assert(
      fc.property(randomSession(), fc.integer({ min: 1, max: 9 }), ({ records }, step) => {
        const trace = emptyTrace();
        for (let at = 0; at < records.length; at += step) {
          foldInto(trace, records.slice(at, at + step));
          conversationItems(trace, 20);
        }
        const told = ({ items, earlier }: ReturnType<typeof conversationItems>) => [
          earlier,
          ...items.map(({ kind, key, stamp }) => [kind, key, stamp]),
        ];
        expect(told(conversationItems(trace, 20))).toEqual(told(conversationItems(fold(records), 20)));
      }),
    );
  });

  it('are the same objects while nothing of them changes, and new ones when something does', () => {
    const recording = new Recording();
    const run = recording.startRun();
    const turn = recording.startTurn(run);
    recording.user(turn, 'Go on.');
    const trace = fold(recording.records);
    const [, turnBefore, userBefore] = conversationItems(trace, 9).items;
    const known = recording.records.length;
    const message = recording.assistant(run, turn, { blocks: [{ type: 'text', text: 'Yes.' }] });
    recording.endTurn(turn, message);
    foldInto(trace, recording.records.slice(known));
    const [, turnAfter, userAfter] = conversationItems(trace, 9).items;
    expect(userAfter).toBe(userBefore);
    expect(turnAfter).not.toBe(turnBefore);
  });

  describe('of requests that failed', () => {
    const waits = { waitMs: 1000, error: 'no answer' };
    const attempts = (...ends: { waitMs?: number; error?: string; status?: number }[]) => {
      const recording = new Recording();
      const run = recording.startRun();
      const turn = recording.startTurn(run);
      ends.forEach((end, index) => recording.add({ type: 'http', run, turn, attempt: index + 1, ...end }));
      return recording;
    };
    const told = ({ records }: Recording) =>
      conversationItems(fold(records), 99).items.flatMap((item) =>
        item.kind === 'note' ? [item.attempts?.length] : [],
      );

    it('are one item', () => {
      expect(told(attempts(waits, waits, { error: 'no answer' }))).toEqual([3]);
    });

    it('leave the one that is waited for to the countdown', () => {
      expect(told(attempts(waits))).toEqual([]);
      expect(told(attempts(waits, waits))).toEqual([1]);
      expect(told(attempts(waits, { status: 200 }))).toEqual([1]);
    });

    it('leave the only one to the answer, which says why it failed', () => {
      expect(told(attempts({ status: 401 }))).toEqual([]);
    });
  });
});
