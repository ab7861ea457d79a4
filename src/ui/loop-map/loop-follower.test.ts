import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TraceRecord } from '../../records/types';
import { loadShipped } from '../../scenario/shipped';
import { emptyTrace, foldInto } from '../../trace';
import type { LoopPlace } from '../../trace/loop-place';
import { runScenario } from '../../worker/run-scenario';
import { TraceWatchers } from '../trace-watchers';
import { LoopFollower } from './loop-follower.svelte';
import { loopView } from './loop-view';

const samples = new URL('../../../public/samples/', import.meta.url);
const played = loadShipped('both-at-once').then((scenario) =>
  runScenario(scenario, { loadSample: (path) => readFile(new URL(path, samples)) }),
);

/** A trace that grows as the records come, and what is shown of it. */
function followed() {
  const trace = emptyTrace();
  const follower = new LoopFollower(() => trace);
  const watchers = new TraceWatchers();
  watchers.add(follower);
  return {
    follower,
    take: (records: TraceRecord[]) => foldInto(trace, watchers.tell(records)),
    shown: (): LoopPlace => (follower.held ?? loopView(trace)).place,
    newest: () => loopView(trace).place,
  };
}

/** The records of each moment of virtual time. */
function byTime(records: readonly TraceRecord[]): Map<number, TraceRecord[]> {
  const times = new Map<number, TraceRecord[]>();
  for (const record of records) {
    const at = Math.round(record.at);
    times.set(at, [...(times.get(at) ?? []), record]);
  }
  return times;
}

describe('what is shown of a loop that runs', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('document', { hidden: false });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** Plays the records at their times; each place that was shown, once. */
  async function play(look: (place: LoopPlace) => string): Promise<string[]> {
    const records = await played;
    const loop = followed();
    const seen: string[] = [];
    const see = () => {
      const text = look(loop.shown());
      if (text !== seen.at(-1)) seen.push(text);
    };
    const times = byTime(records);
    const end = Math.max(...times.keys()) + 3000;
    for (let now = 0; now <= end; now++) {
      loop.take(times.get(now) ?? []);
      see();
      vi.advanceTimersByTime(1);
      see();
    }
    expect(loop.shown()).toEqual(loop.newest());
    return seen;
  }

  it('is each poll and each decision in its order, though they come in the same moment', async () => {
    const seen = await play(({ line, seq }) => `${seq} ${line}`);
    const decided = (await played).flatMap((record) =>
      record.type === 'step' && (record.step.type === 'poll' || record.step.type === 'decide')
        ? [record.seq]
        : [],
    );
    const lit = seen.map((text) => Number.parseInt(text));
    expect(lit.filter((seq) => decided.includes(seq))).toEqual(decided);
    expect(lit).toEqual(lit.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toMatch(/ stop$/);
  });

  it('keeps a card in its queue until the poll that takes it is shown', async () => {
    const seen = await play(({ station, queues }) => `${station} ${queues.steering.length}`);
    const taken = seen.indexOf('pollSteering 0');
    expect(seen.slice(taken - 1, taken + 1)).toEqual(['finishTurn 1', 'pollSteering 0']);
  });

  it('is the newest at once when the session is another one, when it is rewound, and while nobody sees it', async () => {
    const records = await played;
    const isAtNewest = (change: (loop: ReturnType<typeof followed>) => void) => {
      const loop = followed();
      loop.take(records.slice(0, 82));
      const wasBehind = loop.shown().seq < loop.newest().seq;
      change(loop);
      return wasBehind && loop.shown().seq === loop.newest().seq && vi.getTimerCount() === 0;
    };
    expect(isAtNewest(({ follower }) => follower.anew())).toBe(true);
    expect(isAtNewest(({ take }) => take([{ type: 'rewind', seq: 83, at: 0, why: 'edit', drop: [] }]))).toBe(
      true,
    );
    expect(
      isAtNewest(({ take }) => {
        vi.stubGlobal('document', { hidden: true });
        take(records.slice(82, 83));
      }),
    ).toBe(true);
  });
});
