import { describe, expect, it } from 'vitest';
import { Sight, type Focus } from './sight';

const places = { ofSelection: () => ({ from: 100, to: 110 }), ofRecord: (seq: number) => seq * 10 };
const nothing: Focus = { selection: undefined, cursor: undefined };
const call: Focus = { selection: { kind: 'call', id: 'c' }, cursor: undefined };

function extent(end: number) {
  return { start: 0, end, least: 1 };
}

/** Shows what there is up to `end` and returns the window, rounded. */
function shown(sight: Sight, end: number, focus = nothing, isLive = true) {
  const { from, to } = sight.update(extent(end), focus, places, isLive, 1000);
  return [Math.round(from), Math.round(to)];
}

describe('what is in sight', () => {
  it('is everything when nothing happens, and the latest while something does', () => {
    expect(shown(new Sight(), 5000, nothing, false)).toEqual([-50, 5200]);
    expect(shown(new Sight(), 5000)).toEqual([4040, 5040]);
  });

  it('goes along with what happens until the reader looks elsewhere', () => {
    const sight = new Sight();
    shown(sight, 5000);
    sight.choose({ from: 1000, to: 2000 }, extent(5000));
    expect(sight.isFollowing).toBe(false);
    expect(shown(sight, 6000)).toEqual([1000, 2000]);
  });

  it('goes along with what happens when the reader chose a window that shows the newest', () => {
    const sight = new Sight();
    shown(sight, 5000);
    sight.choose({ from: 4800, to: 5100 }, extent(5000));
    expect(shown(sight, 5300)).toEqual([5012, 5312]);
  });

  it('comes back to the newest as wide as it was', () => {
    const sight = new Sight();
    shown(sight, 5000);
    sight.choose({ from: 1000, to: 1500 }, extent(5000));
    sight.follow(extent(6000));
    expect(sight.isFollowing).toBe(true);
    expect(shown(sight, 6000)).toEqual([5520, 6020]);
  });

  it('stays when nothing happens, whatever the reader chose', () => {
    const sight = new Sight();
    shown(sight, 5000, nothing, false);
    sight.choose({ from: 4800, to: 5010 }, extent(5000));
    expect(shown(sight, 6000, nothing, false)).toEqual([4800, 5010]);
  });

  it('goes to what is selected elsewhere, once', () => {
    const sight = new Sight();
    shown(sight, 5000);
    const [from = 0, to = 0] = shown(sight, 5000, call);
    expect([from <= 100, to >= 110, sight.isFollowing]).toEqual([true, true, false]);
    sight.choose({ from: 3000, to: 4000 }, extent(5000));
    expect(shown(sight, 5000, call)).toEqual([3000, 4000]);
  });

  it('stays at what the reader pressed', () => {
    const sight = new Sight();
    shown(sight, 5000);
    sight.expect(call.selection);
    expect(shown(sight, 5000, call)).toEqual([4040, 5040]);
  });

  it('goes to the record that the page looks at', () => {
    const sight = new Sight();
    shown(sight, 5000);
    const [from = 0, to = 0] = shown(sight, 5000, { selection: undefined, cursor: 20 });
    expect([from <= 200, to >= 200]).toEqual([true, true]);
  });

  it('begins anew with another trace', () => {
    const sight = new Sight();
    shown(sight, 5000);
    sight.choose({ from: 1000, to: 2000 }, extent(5000));
    sight.forget();
    expect(shown(sight, 300)).toEqual([-3, 312]);
  });
});
