import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Mark } from '../../trace/loop-marks';
import { cargoOf, notJoined } from './cargo';
import { geometry, stationPosition } from './geometry';
import { RecentPolls } from './recent-polls.svelte';

const poll = (seq: number, count: number): Mark => ({
  seq,
  at: 0,
  station: 'pollSteering',
  line: 'pollTurnEnd',
  poll: { queue: 'steering', count },
});

describe('the polls since the map was drawn last', () => {
  beforeEach(() => void vi.useFakeTimers());

  it('are none when the map is drawn first, whatever was before', () => {
    const recent = new RecentPolls();
    recent.see({ seq: 9, polls: [poll(7, 0)] });
    expect(recent.marks).toEqual([]);
  });

  it('are those that the loop passed in the same moment, and stay when it goes on without another', () => {
    const recent = new RecentPolls();
    recent.see({ seq: 5, polls: [] });
    recent.see({ seq: 9, polls: [poll(4, 0), poll(7, 0), poll(8, 1)] });
    recent.see({ seq: 10, polls: [poll(7, 0), poll(8, 1)] });
    expect(recent.marks.map(({ seq }) => seq)).toEqual([7, 8]);
    vi.runAllTimers();
    expect(recent.marks).toEqual([]);
  });

  it('are forgotten when the reader goes back', () => {
    const recent = new RecentPolls();
    recent.see({ seq: 5, polls: [] });
    recent.see({ seq: 9, polls: [poll(7, 0)] });
    recent.see({ seq: 6, polls: [] });
    expect(recent.marks).toEqual([]);
  });
});

it('the token carries what a poll took until it comes to the inject station, and nothing once it has arrived', () => {
  const map = geometry('wide');
  const end = stationPosition(map, 'stream');
  const carried = (drawn: typeof end) => cargoOf(map, [poll(7, 2)], drawn, end)?.count;
  const past = { leg: 'inner', at: stationPosition(map, 'inject').at + 0.01 } as const;
  expect(carried(stationPosition(map, 'innerGoOn'))).toBe(2);
  expect(carried({ leg: 'yes', at: 0.5 })).toBe(2);
  expect(carried({ leg: 'inner', at: 0 })).toBe(2);
  expect([carried(past), carried(end), carried({ leg: 'stop', at: 0.5 })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(cargoOf(map, [poll(7, 0)], { leg: 'yes', at: 0.5 }, end)).toBeUndefined();
});

it('what a poll took is not drawn in the context before the token has brought it to the inject station', () => {
  const map = geometry('wide');
  const end = stationPosition(map, 'stream');
  const waiting = (drawn: typeof end) => notJoined(map, [poll(7, 2)], drawn, end);
  const before = [stationPosition(map, 'tools', 1), stationPosition(map, 'pollSteering')] as const;
  expect(before.map(waiting)).toEqual([2, 2]);
  expect([waiting({ leg: 'yes', at: 0.5 }), waiting({ leg: 'inner', at: 0 })]).toEqual([2, 2]);
  expect([waiting(stationPosition(map, 'prepareRequest')), waiting(end)]).toEqual([0, 0]);
  expect(notJoined(map, [poll(7, 0)], { leg: 'yes', at: 0.5 }, end)).toBe(0);
});
