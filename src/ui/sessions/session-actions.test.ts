import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionInfo } from '../../records/types';
import { CommandError } from '../client';
import { Notices } from '../notices.svelte';
import type { Page } from '../page.svelte';
import { SessionActions } from './session-actions';
import { SessionList } from './sessions.svelte';

const info = (id: string): SessionInfo => ({
  ...{ id, title: id, createdAt: 0, updatedAt: 0, seq: 0, at: 0, state: 'idle' },
});

/** A page with sessions a and b, of which a is open, and a worker that answers commands by their type. */
async function pageWith(replies: Record<string, () => Promise<unknown>> = {}) {
  const sent: string[] = [];
  const page = {
    client: {
      send: ({ type }: { type: string }) => {
        sent.push(type);
        return replies[type]?.() ?? Promise.resolve();
      },
    },
    sessions: new SessionList(() => Promise.resolve([info('a'), info('b')])),
    notices: new Notices(),
    session: { id: 'a' },
    tellError: vi.fn(),
    open: vi.fn((id: string) => {
      page.session.id = id;
      return Promise.resolve();
    }),
  };
  await page.sessions.refresh();
  const shown = () => page.sessions.shown.map(({ id }) => id);
  return { page, sent, shown, actions: new SessionActions(page as unknown as Page) };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe('deleting a session', () => {
  it('is refused at once when another tab writes it, and it stays in sight', async () => {
    const refusal = new CommandError({ code: 'session.inUse' });
    const { page, shown, actions, sent } = await pageWith({ claimSession: () => Promise.reject(refusal) });
    await actions.remove(info('a'));
    expect(page.tellError).toHaveBeenCalledExactlyOnceWith(refusal);
    expect(shown()).toEqual(['a', 'b']);
    await vi.runAllTimersAsync();
    expect(sent).toEqual(['claimSession']);
  });

  it('keeps other tabs away until it is done', async () => {
    const { page, shown, actions, sent } = await pageWith();
    await actions.remove(info('a'));
    expect(shown()).toEqual(['b']);
    expect(page.session.id).toBe('b');
    await vi.runAllTimersAsync();
    expect(sent).toEqual(['claimSession', 'deleteSession']);
  });

  it('lets go of it when that is taken back, and opens it if it was open', async () => {
    const { page, shown, actions, sent } = await pageWith();
    await actions.remove(info('a'));
    await Promise.resolve();
    page.notices.list[0]?.action?.run();
    await vi.runAllTimersAsync();
    expect(shown()).toEqual(['a', 'b']);
    expect(page.session.id).toBe('a');
    expect(sent).toEqual(['claimSession', 'releaseSession']);
  });

  it('does not happen when the person does not leave what runs in it', async () => {
    const { page, shown, actions, sent } = await pageWith();
    page.open.mockResolvedValue();
    await actions.remove(info('a'));
    await vi.runAllTimersAsync();
    expect(shown()).toEqual(['a', 'b']);
    expect(page.notices.list).toEqual([]);
    expect(sent).toEqual(['claimSession', 'releaseSession']);
  });

  it('that is asked for twice at once is done once', async () => {
    const { page, actions, sent } = await pageWith();
    await Promise.all([actions.remove(info('b')), actions.remove(info('b'))]);
    expect(page.notices.list).toHaveLength(1);
    await vi.runAllTimersAsync();
    expect(sent.filter((type) => type === 'deleteSession')).toHaveLength(1);
  });
});
