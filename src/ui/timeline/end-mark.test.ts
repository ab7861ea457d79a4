import { describe, expect, it } from 'vitest';
import { BarFlag } from '../../trace/lanes-row';
import { endMark, markRoom } from './end-mark';

describe('the mark at the end of a bar', () => {
  it.each([
    [0, undefined],
    [BarFlag.open | BarFlag.asked, undefined],
    [BarFlag.failed, 'failed'],
    [BarFlag.failed | BarFlag.asked, 'blocked'],
    [BarFlag.aborted | BarFlag.asked, 'aborted'],
    [BarFlag.interrupted, 'interrupted'],
    [BarFlag.cut, 'cut'],
    [BarFlag.cut | BarFlag.failed, 'failed'],
  ])('of flags %s is %s', (flags, mark) => {
    expect(endMark(flags)).toBe(mark);
  });

  it('stands inside a wide bar, behind a narrow one with room, and colours the rest of a bar without', () => {
    expect(markRoom('failed', 100, 0)).toEqual({ inside: 13, behind: 0 });
    expect(markRoom('blocked', 3, 40)).toEqual({ inside: 3, behind: 12 });
    expect(markRoom('cut', 20, 5)).toEqual({ inside: 4, behind: 0 });
    expect(markRoom('aborted', 100, 40)).toEqual({ inside: 0, behind: 0 });
  });
});
