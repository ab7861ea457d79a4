import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { loadShipped, shippedIds } from '../../scenario/shipped';
import { emptyTrace, foldInto } from '../../trace/fold';
import { loopPlace } from '../../trace/loop-place';
import { runScenario } from '../../worker/run-scenario';
import { geometry, pointAt, stationPosition } from './geometry';
import { alongWay, paceOf, route, wayBetween, wayDuration, wayLength } from './route';
import type { Target } from './route';
import { stationOrder } from './texts';

const map = geometry('wide');
const samples = new URL('../../../public/samples/', import.meta.url);
const anyStation = fc.constantFrom(...stationOrder).map((station) => stationPosition(map, station));

describe('the way of the token', () => {
  it('goes once round the inner ring from a later station to an earlier one', () => {
    const way = route(stationPosition(map, 'innerGoOn'), stationPosition(map, 'inject'));
    expect(way?.map(({ leg }) => leg)).toEqual(['inner', 'yes', 'inner']);
  });

  it('goes through the outer loop to its decision, and back by it', () => {
    const outer = stationPosition(map, 'outerGoOn');
    expect(route(stationPosition(map, 'stream'), outer)?.map(({ leg }) => leg)).toEqual(['inner', 'no']);
    expect(route(outer, stationPosition(map, 'inject'))?.map(({ leg }) => leg)).toEqual([
      'no',
      'return',
      'entry',
      'inner',
    ]);
  });

  it('has no way out of the stop', () => {
    expect(route(stationPosition(map, 'stop'), stationPosition(map, 'start'))).toBeUndefined();
  });

  it('goes back the way it came when the reader steps back', () => {
    const inject: Target = { ...stationPosition(map, 'inject'), seq: 1 };
    const stream: Target = { ...stationPosition(map, 'stream'), seq: 2 };
    expect(wayBetween(stream, inject)).toEqual([{ leg: 'inner', from: stream.at, to: inject.at }]);
  });

  it('does not go round for a stream that is stepped back', () => {
    const to: Target = { ...stationPosition(map, 'stream', 0.2), seq: 2 };
    expect(wayBetween({ ...to, at: to.at + 0.1 }, to)).toEqual([
      { leg: 'inner', from: to.at + 0.1, to: to.at },
    ]);
  });

  it('never leaves the rings, moves evenly, and takes from 180 to 600 ms', () => {
    fc.assert(
      fc.property(anyStation, anyStation, fc.boolean(), (from, to, forward) => {
        const way = wayBetween({ ...from, seq: 1 }, { ...to, seq: forward ? 2 : 0 });
        if (!way) return;
        const length = wayLength(map, way);
        const steps = Array.from({ length: 65 }, (_, index) => alongWay(map, way, index / 64));
        expect(pointAt(map, steps[0]!)).toEqual(expect.objectContaining(near(pointAt(map, from))));
        expect(pointAt(map, steps[64]!)).toEqual(expect.objectContaining(near(pointAt(map, to))));
        for (let index = 1; index < steps.length; index++) {
          const [a, b] = [pointAt(map, steps[index - 1]!), pointAt(map, steps[index]!)];
          expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeLessThanOrEqual(length / 64 + 1e-6);
        }
        expect(wayDuration(map, way)).toBeGreaterThanOrEqual(180);
        expect(wayDuration(map, way)).toBeLessThanOrEqual(600);
      }),
    );
  });

  it('waits at the poll that took something, and goes on from there slowly enough to be followed', () => {
    const to = stationPosition(map, 'stream');
    const way = route(stationPosition(map, 'tools', 1), to) ?? [];
    const poll = stationPosition(map, 'pollSteering');
    const { ms, fraction } = paceOf(map, way, poll);
    const at = (now: number) => alongWay(map, way, fraction(now / ms));
    const waits = Array.from({ length: Math.floor(ms) }, (_, now) => at(now)).filter(
      (position) => position?.leg === poll.leg && Math.abs(position.at - poll.at) < 1e-6,
    );
    expect(waits.length).toBeGreaterThan(500);
    expect(ms - waits.length).toBeGreaterThan(2 * wayDuration(map, way) * 0.8);
    expect([at(0), at(ms)]).toEqual([
      { leg: 'inner', at: expect.closeTo(stationPosition(map, 'tools', 1).at) as number },
      { leg: 'inner', at: expect.closeTo(to.at) as number },
    ]);
  });

  it('takes its usual time where nothing is carried, and only longer where the poll is behind it', () => {
    const way = route(stationPosition(map, 'innerGoOn'), stationPosition(map, 'stream')) ?? [];
    const usual = paceOf(map, way, undefined).ms;
    expect(usual).toBe(wayDuration(map, way));
    expect(paceOf(map, way, stationPosition(map, 'pollSteering')).ms).toBeGreaterThan(2 * usual);
  });

  it.each(shippedIds)('leads from each place of a run in %s to the next', async (id) => {
    const records = await runScenario(await loadShipped(id), {
      loadSample: (path) => readFile(new URL(path, samples)),
    });
    const trace = emptyTrace();
    let last: { run: number; target: Target; isCut: boolean } | undefined;
    for (const record of records) {
      const { run, station, seq, stream, batch, cut } = loopPlace(foldInto(trace, [record]));
      if (!station) continue;
      const progress = station === 'tools' ? batch?.progress : stream?.progress;
      const target = { ...stationPosition(map, station, progress), seq };
      if (last?.run === run) {
        const way = wayBetween(last.target, target);
        expect(way).toBeDefined();
        // What cuts a run takes the token back to where it was cut.
        if (!cut) expect(way?.every(({ from, to }) => to >= from)).toBe(true);
      }
      last = { run, target, isCut: cut !== undefined };
    }
    expect(last?.target.leg).toBe(last?.isCut ? 'inner' : 'stop');
  });
});

function near({ x, y }: { x: number; y: number }) {
  return { x: expect.closeTo(x) as number, y: expect.closeTo(y) as number };
}
