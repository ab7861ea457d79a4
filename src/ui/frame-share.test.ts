import { describe, expect, it } from 'vitest';
import { FrameShare } from './frame-share.svelte';

const versions = ({ outline, loop, lower }: FrameShare) => [outline, loop, lower];

describe('panels share frames', () => {
  it('all in the frame in which a few records came', () => {
    const share = new FrameShare();
    share.frame(5);
    expect([versions(share), share.isBehind]).toEqual([[1, 1, 1], false]);
  });

  it('one after the other while many come, each as often as the others', () => {
    const share = new FrameShare();
    for (let frame = 1; frame <= 30; frame++) {
      const before = versions(share);
      share.frame(100);
      expect(versions(share).filter((version, at) => version !== before[at])).toHaveLength(1);
    }
    expect(versions(share)).toEqual([10, 10, 10]);
  });

  it('until each has been drawn after the last of them', () => {
    const share = new FrameShare();
    share.frame(100);
    expect(share.isBehind).toBe(true);
    share.frame(0);
    share.frame(0);
    expect([versions(share), share.isBehind]).toEqual([[1, 1, 1], false]);
  });

  it('all at once again when it calms down', () => {
    const share = new FrameShare();
    share.frame(100);
    const before = versions(share);
    share.frame(1);
    expect(versions(share)).toEqual(before.map((version) => version + 1));
    expect(share.isBehind).toBe(false);
  });

  it('one after the other also where a few records are much to draw, until that takes little again', () => {
    const share = new FrameShare();
    share.frame(1);
    share.took(40);
    share.frame(1);
    expect([versions(share), share.isBehind]).toEqual([[2, 1, 1], true]);
    for (let frame = 0; frame < 3; frame++) {
      share.took(4);
      share.frame(1);
    }
    expect(versions(share)).toEqual([3, 3, 3]);
    expect(share.isBehind).toBe(false);
  });
});
