import fc from 'fast-check';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { loadShipped, shippedIds } from '../../scenario/shipped';
import { emptyTrace, foldInto } from '../../trace/fold';
import { loopPlace } from '../../trace/loop-place';
import { runScenario } from '../../worker/run-scenario';
import { geometry, pointAt, stationPosition } from './geometry';
import { alongWay, route, wayBetween, wayDuration, wayLength } from './route';
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

  it('never leaves the rings, moves evenly, and takes from 140 to 260 ms', () => {
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
        expect(wayDuration(map, way)).toBeGreaterThanOrEqual(140);
        expect(wayDuration(map, way)).toBeLessThanOrEqual(260);
      }),
    );
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
