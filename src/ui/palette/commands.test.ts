import { describe, expect, it } from 'vitest';
import { matching } from './commands';

const named = (...titles: string[]) => titles.map((title) => ({ id: title, title, run: () => undefined }));
const titles = (typed: string, ...all: string[]) => matching(named(...all), typed).map(({ title }) => title);

describe('typing in the palette', () => {
  it('keeps all commands while nothing is typed, in their order', () => {
    expect(titles(' ', 'Pause', 'Abort')).toEqual(['Pause', 'Abort']);
  });

  it('keeps those that have every word, in any case and order', () => {
    expect(titles('MAX speed', 'Speed: max', 'Speed: 2×')).toEqual(['Speed: max']);
  });

  it('puts those first that begin with what was typed', () => {
    expect(titles('re', 'Go to the previous error', 'Retry')).toEqual(['Retry', 'Go to the previous error']);
  });
});
