import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ClockState, Opened } from '../protocol';
import type { SessionInfo, TraceRecord } from '../records/types';
import { fold } from '../trace';
import { longSession } from '../trace/testing/long-session';
import type { WorkerClient } from './client';
import { CommandError } from './client';
import { Session } from './session.svelte';

const records = longSession({ runs: 2, turnsPerRun: 2, deltasPerTurn: 5 }).records;
const clock: ClockState = {
  virtual: true,
  playing: false,
  speed: 1,
  still: false,
  resting: false,
  at: 0,
  ready: true,
  goesOn: false,
};

function infoOf(id: string): SessionInfo {
  return { id, title: id, createdAt: 0, updatedAt: 0, seq: 0, at: 0, state: 'idle' };
}

function opened(id: string, seq: number, more: Partial<Opened> = {}): Opened {
  return { info: infoOf(id), seq, readOnly: false, stored: true, clock, ...more };
}

/** What is stored, and a client that answers `records` with all of it. */
function sessionWith(stored: TraceRecord[]) {
  const send = vi.fn(() => Promise.resolve(stored));
  const client = { send } as unknown as WorkerClient;
  const read = vi.fn((_id: string, after: number) =>
    Promise.resolve({ records: stored.filter(({ seq }) => seq > after) }),
  );
  return { session: new Session(client, read), send, read };
}

function batch(session: string, from: number, to: number) {
  return { type: 'records' as const, session, records: records.slice(from - 1, to) };
}

let frames: (() => void)[] = [];

/** Lets the page paint until nothing more is asked for. */
function paint(): void {
  for (const frame of frames.splice(0)) frame();
}

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.stubGlobal('document', { hidden: false });
});
afterEach(() => vi.unstubAllGlobals());

describe('the open session', () => {
  it('is the fold of what is stored', async () => {
    const { session } = sessionWith(records);
    await session.show(() => Promise.resolve(opened('a', records.length)));
    expect(session.phase).toBe('open');
    expect(session.trace).toEqual(fold(records));
  });

  it('takes live records once a frame, those that came while it was read too, and none twice', async () => {
    const { session } = sessionWith(records.slice(0, 10));
    await session.show(() => {
      session.receive(batch('a', 9, 14));
      return Promise.resolve(opened('a', 8));
    });
    session.receive(batch('a', 13, 20));
    const before = session.version;
    paint();
    expect(session.version).toBe(before + 1);
    expect(session.trace).toEqual(fold(records.slice(0, 20)));
    expect(session.log).toEqual(records.slice(0, 20));
  });

  it('tells who looks on of each record before the trace has it, and of a trace that is another one', async () => {
    const { session } = sessionWith(records.slice(0, 10));
    const told: [seq: number, after: number][] = [];
    const anew = vi.fn();
    const stop = session.watchers.add({ before: ({ seq }) => told.push([seq, session.trace.seq]), anew });
    await session.show(() => Promise.resolve(opened('a', 10)));
    expect([told, anew.mock.calls.length]).toEqual([[], 1]);
    session.receive(batch('a', 11, 13));
    paint();
    stop();
    session.receive(batch('a', 14, 15));
    paint();
    expect(told).toEqual([
      [11, 10],
      [12, 11],
      [13, 12],
    ]);
  });

  it('is there to be looked at while the worker still opens it, and goes on from there', async () => {
    const stored = records.slice(0, 10);
    const { session, read } = sessionWith(stored);
    let asked = false;
    let answer: (value: Opened) => void = () => undefined;
    const shown = session.show(() => {
      asked = true;
      return new Promise((resolve) => (answer = resolve));
    }, 'a');
    await vi.waitFor(() => expect(asked).toBe(true), 20_000);
    expect(session.trace).toEqual(fold(records.slice(0, 10)));
    expect([session.phase, session.id]).toEqual(['opening', undefined]);
    const { trace } = session;
    // What the worker wrote when it opened it, and what came then.
    stored.push(...records.slice(10, 12));
    session.receive(batch('a', 13, 14));
    answer(opened('a', 12));
    await shown;
    paint();
    expect(session.phase).toBe('open');
    expect(session.trace).toBe(trace);
    expect(session.trace).toEqual(fold(records.slice(0, 14)));
    expect(session.log).toEqual(records.slice(0, 14));
    expect(read.mock.calls).toEqual([
      ['a', 0],
      ['a', 10],
    ]);
  });

  it('shows nothing of one that could be read but not opened, and of none while another is open', async () => {
    const { session } = sessionWith(records);
    await session.show(() => Promise.reject(new CommandError({ code: 'session.missing' })), 'a');
    expect([session.phase, session.log]).toEqual(['failed', []]);
    await session.show(() => Promise.resolve(opened('b', records.length)), 'b');
    const { log } = session;
    let answer: (value: Opened) => void = () => undefined;
    const shown = session.show(() => new Promise((resolve) => (answer = resolve)), 'c');
    await Promise.resolve();
    expect([session.log, session.id]).toEqual([log, 'b']);
    answer(opened('c', records.length));
    await shown;
    expect([session.log, session.id]).toEqual([records, 'c']);
  });

  it('leaves alone what is of another session', async () => {
    const { session } = sessionWith(records.slice(0, 10));
    await session.show(() => Promise.resolve(opened('a', 10)));
    session.receive(batch('b', 11, 20));
    paint();
    expect(session.log).toHaveLength(10);
  });

  it('reads what is missing before a gap', async () => {
    const stored = records.slice(0, 10);
    const { session } = sessionWith(stored);
    await session.show(() => Promise.resolve(opened('a', 10)));
    stored.push(...records.slice(10, 30));
    session.receive(batch('a', 26, 40));
    await vi.waitFor(() => {
      paint();
      expect(session.trace).toEqual(fold(records.slice(0, 40)));
    }, 20_000);
  });

  it('asks the worker for the records of a session that is not stored', async () => {
    const { session, send, read } = sessionWith(records);
    await session.show(() => Promise.resolve(opened('a', records.length, { stored: false })));
    expect(send).toHaveBeenCalledWith({ type: 'records', session: 'a' });
    expect(read).not.toHaveBeenCalled();
    expect(session.log).toHaveLength(records.length);
  });

  it('stays when opening another one is refused, and the refusal is told', async () => {
    const { session } = sessionWith(records);
    await session.show(() => Promise.resolve(opened('a', records.length)));
    const problem = await session.show(() => Promise.reject(new CommandError({ code: 'session.missing' })));
    expect(problem).toEqual({ code: 'session.missing' });
    expect([session.phase, session.id]).toEqual(['open', 'a']);
  });

  it('says why the first one could not be opened', async () => {
    const { session } = sessionWith(records);
    await session.show(() => Promise.reject(new CommandError({ code: 'session.missing' })));
    expect([session.phase, session.problem]).toEqual(['failed', { code: 'session.missing' }]);
  });

  it('shows the one that was asked for last, however late the others answer', async () => {
    const { session } = sessionWith([]);
    let answer: (value: Opened) => void = () => undefined;
    const late = session.show(() => new Promise((resolve) => (answer = resolve)));
    await session.show(() => Promise.resolve(opened('b', 0)));
    answer(opened('a', 0));
    await late;
    expect(session.id).toBe('b');
  });

  it('lets time go on between records only while something plays', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { session } = sessionWith(records.slice(0, 12));
      await session.show(() => Promise.resolve(opened('a', 12)));
      const at = session.now;
      vi.advanceTimersByTime(500);
      paint();
      expect(session.now).toBe(at);
      session.receive({ type: 'clock', session: 'a', clock: { ...clock, playing: true, speed: 2, at } });
      vi.advanceTimersByTime(500);
      paint();
      expect(session.now).toBe(at + 1000);
    } finally {
      vi.useRealTimers();
    }
  });

  /** Played at real speed from record 12 on, and looked at after `ms`. */
  async function playedFor(ms: number) {
    const { session } = sessionWith(records.slice(0, 12));
    await session.show(() => Promise.resolve(opened('a', 12)));
    const at = session.now;
    const tell = (more: Partial<ClockState>) =>
      session.receive({ type: 'clock', session: 'a', clock: { ...clock, at, playing: true, ...more } });
    tell({});
    vi.advanceTimersByTime(ms);
    paint();
    return { session, at, tell };
  }

  it('goes on as real time does while nothing is due, whatever the speed', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { session, at, tell } = await playedFor(0);
      tell({ speed: 5, resting: true });
      vi.advanceTimersByTime(1000);
      paint();
      expect(session.now).toBe(at + 1000);
    } finally {
      vi.useRealTimers();
    }
  });

  it('shows the time of the last record while it is idle, however long ago that was', async () => {
    const { session } = sessionWith(records);
    const read = opened('a', records.length);
    await session.show(() => Promise.resolve({ ...read, clock: { ...clock, at: 1_589_000, playing: true } }));
    paint();
    expect(session.trace.state).toBe('idle');
    expect(session.now).toBe(session.trace.at);
  });

  it('never lets time fall back, whatever the worker says that it is, and stands until that has come so far', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { session, at, tell } = await playedFor(500);
      tell({ still: true, at: at + 450 });
      vi.advanceTimersByTime(5000);
      paint();
      expect(session.now).toBe(at + 500);
      tell({ at: at + 450 });
      vi.advanceTimersByTime(40);
      paint();
      expect(session.now).toBe(at + 500);
      vi.advanceTimersByTime(40);
      paint();
      expect(session.now).toBe(at + 530);
      await session.show(() => Promise.resolve(opened('a', 12)));
      expect(session.now).toBe(at);
    } finally {
      vi.useRealTimers();
    }
  });

  it('goes on from the newest record when the worker has lost time, so that it does not run ahead of it', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const { session, at } = await playedFor(3000);
      const late = at + 1000;
      session.receive({
        ...{ type: 'records', session: 'a' },
        records: records.slice(12, 13).map((record) => ({ ...record, at: late })),
      });
      paint();
      vi.advanceTimersByTime(1900);
      paint();
      expect(session.now).toBe(at + 3000);
      vi.advanceTimersByTime(200);
      paint();
      expect(session.now).toBe(late + 2100);
    } finally {
      vi.useRealTimers();
    }
  });
});
