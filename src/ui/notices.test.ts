import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Notices } from './notices.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const texts = (notices: Notices) => notices.shown.map(({ text }) => text);

it('shows the same error once, and at most two at a time', () => {
  const notices = new Notices();
  for (const text of ['a', 'a', 'b', 'c', 'b']) notices.add({ kind: 'error', text });
  expect(texts(notices)).toEqual(['c', 'b']);
  expect(notices.list).toHaveLength(3);
});

it('lets an error go after twelve seconds, unless somebody looks at it', () => {
  const notices = new Notices();
  const id = notices.add({ kind: 'error', text: 'a' });
  vi.advanceTimersByTime(11_000);
  notices.hold(id);
  vi.advanceTimersByTime(60_000);
  expect(texts(notices)).toEqual(['a']);
  notices.release(id);
  vi.advanceTimersByTime(12_000);
  expect(texts(notices)).toEqual([]);
});

it('clears what failed once it succeeds, and what is of a session once another one is open', () => {
  const notices = new Notices();
  const gone = vi.fn();
  notices.add({ kind: 'error', text: 'continue failed' }, { about: 'continue' });
  notices.add({ kind: 'error', text: 'other' });
  notices.add(
    { kind: 'info', text: 'deleted', action: { label: 'Undo', run: vi.fn() } },
    { ofPage: true, gone },
  );
  notices.succeeded('continue');
  expect(notices.list.map(({ text }) => text)).toEqual(['other', 'deleted']);
  notices.leaveSession();
  expect(texts(notices)).toEqual(['deleted']);
  expect(gone).not.toHaveBeenCalled();
});

it('never merges what can be undone: each has its own undo', () => {
  const notices = new Notices();
  for (let time = 0; time < 2; time++)
    notices.add({ kind: 'info', text: 'deleted', action: { label: 'Undo', run: vi.fn() } });
  expect(texts(notices)).toEqual(['deleted', 'deleted']);
});
