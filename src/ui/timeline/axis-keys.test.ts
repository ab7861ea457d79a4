import { expect, it } from 'vitest';
import { axisKeys, changesSight } from './axis-keys';
import type { TimeAxis } from './time-axis.svelte';

function press(key: string, code: string, more: object = {}) {
  const done: unknown[] = [];
  const axis = {
    scene: { view: { from: 40, to: 50, width: 100 }, whole: { from: 0, to: 104 } },
    zoom: (factor: number) => done.push(factor < 1 ? 'in' : 'out'),
    showPlaces: (places: object) => done.push(places),
  } as unknown as TimeAxis;
  const actions = {
    selection: () => undefined,
    cursor: () => undefined,
    select: () => done.push('walk'),
    seek: undefined,
    play: undefined,
  };
  const event = {
    key,
    code,
    preventDefault: () => done.push('taken'),
    stopPropagation: () => undefined,
    ...more,
  };
  axisKeys(axis, actions)(event as unknown as KeyboardEvent);
  return done;
}

it.each([
  ['+', 'Equal', { shiftKey: true }, 'in'],
  ['=', 'Equal', {}, 'in'],
  ['+', 'NumpadAdd', {}, 'in'],
  ['-', 'Minus', {}, 'out'],
  // Where another layout has its plus, others have a bracket.
  ['+', 'BracketRight', {}, 'in'],
])('%s (%s) zooms, whatever the layout', (key, code, more, zoomed) => {
  expect(press(key, code, more)).toEqual([zoomed, 'taken']);
});

it('Home and End go to the ends and keep the zoom', () => {
  expect(press('Home', 'Home')).toEqual([{ from: 0, to: 10 }, 'taken']);
  expect(press('End', 'End')).toEqual([{ from: 94, to: 104 }, 'taken']);
});

it('what is in sight is said after each key that changes it, and after no other', () => {
  const said = (...keys: [key: string, code: string][]) =>
    keys.filter(([key, code]) => changesSight({ key, code })).map(([key]) => key);
  expect(
    said(
      ['w', 'KeyW'],
      ['-', 'Minus'],
      ['+', 'BracketRight'],
      ['Home', 'Home'],
      ['End', 'End'],
      ['f', 'KeyF'],
    ),
  ).toEqual(['w', '-', '+', 'Home', 'End', 'f']);
  expect(said(['[', 'BracketLeft'], [' ', 'Space'], ['Escape', 'Escape'], ['ArrowUp', 'ArrowUp'])).toEqual(
    [],
  );
});

it('leaves plus and minus to the browser while a modifier is held', () => {
  expect(press('+', 'Equal', { ctrlKey: true })).toEqual([]);
});
