import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LANE_KINDS, type LaneKind } from '../../trace/lanes';
import { layOut, NAME_HEIGHT } from './layout';

const counts = fc.record(
  Object.fromEntries(
    LANE_KINDS.map((kind) => [kind, fc.integer({ min: 0, max: kind === 'tool' ? 40 : 5 })]),
  ) as Record<LaneKind, fc.Arbitrary<number>>,
);

describe('the layout of the lanes', () => {
  it('gives each row a place of its own, in order, inside its lane', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 60, max: 900 }), (count, height) => {
        const { lanes, height: whole } = layOut((kind) => count[kind], height);
        expect(lanes.map(({ kind, rows }) => [kind, rows.length])).toEqual(
          LANE_KINDS.map((kind) => [kind, Math.max(1, count[kind])]),
        );
        let top = 0;
        for (const lane of lanes) {
          expect(lane.top).toBeCloseTo(top, 6);
          let free = lane.top - 1;
          for (const row of lane.rows) {
            expect(row.top).toBeGreaterThanOrEqual(Math.floor(free));
            free = row.top + row.height;
          }
          expect(free).toBeLessThanOrEqual(lane.top + lane.height + 1);
          top += lane.height;
        }
        expect(whole).toBeCloseTo(top, 6);
      }),
    );
  });

  it('fits into the height as long as names fit into the rows, and is no higher than it need be', () => {
    const lanes = (tool: number, height: number) =>
      layOut((kind) => (kind === 'tool' ? tool : 1), height).height;
    expect(lanes(2, 150)).toBeLessThanOrEqual(150.001);
    expect(lanes(5, 185)).toBeCloseTo(185, 6);
    expect(lanes(8, 185)).toBeGreaterThan(185);
    expect(lanes(40, 200)).toBeGreaterThan(200);
    expect(lanes(1, 2000)).toBeLessThan(300);
  });

  it('keeps each row of calls high enough for a name', () => {
    fc.assert(
      fc.property(counts, fc.integer({ min: 60, max: 900 }), (count, height) => {
        const { lanes } = layOut((kind) => count[kind], height);
        const tools = lanes.find(({ kind }) => kind === 'tool');
        for (const row of tools?.rows ?? []) expect(row.height).toBeGreaterThanOrEqual(NAME_HEIGHT);
      }),
    );
  });

  it('lets a message that waits alone have the height of its lane', () => {
    const steering = layOut((kind) => (kind === 'steering' ? 2 : 1), 160).lanes.find(
      ({ kind }) => kind === 'steering',
    );
    expect(steering?.rows[0]?.height).toBeLessThan(10);
    expect(steering?.alone.height).toBeGreaterThanOrEqual(15);
  });
});
