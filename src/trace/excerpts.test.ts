import { expect, it } from 'vitest';
import { withoutMarks } from './excerpts';

it.each([
  ['**Two** errors in `server.log`', 'Two errors in server.log'],
  ['## What I found', 'What I found'],
  ['- see [the docs](https://example.org/a) *now*', 'see the docs now'],
  ['1. ``one`` thing', 'one thing'],
])('shows %s without its marks', (line, shown) => {
  expect(withoutMarks(line)).toBe(shown);
});

it.each([
  'snake_case_name',
  '__init__',
  '2 * 3 * 4',
  '2 * 3',
  '**not closed',
  'a `half',
  '#hashtag',
  '-1 degrees',
])('leaves %s alone', (line) => {
  expect(withoutMarks(line)).toBe(line);
});
