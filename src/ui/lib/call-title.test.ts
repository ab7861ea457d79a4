import { describe, expect, it } from 'vitest';
import { callArgument } from './call-title';

describe('a call in one line', () => {
  it('shows the path, command or query, whatever its place', () => {
    expect(callArgument({ limit: 3, path: 'src/a.ts' })).toBe('src/a.ts · limit 3');
    expect(callArgument({ command: 'npm test\necho done' })).toBe('npm test');
  });

  it('shows the first plain value of a call that has none of them', () => {
    expect(callArgument({ edits: [1], count: 7 })).toBe('7');
  });

  it('leaves out what is long, has lines or is no plain value', () => {
    expect(callArgument({ path: 'a.txt', content: 'one\ntwo', edits: [{}] })).toBe('a.txt');
    expect(callArgument({ path: 'a.txt', note: 'x'.repeat(200) })).toBe('a.txt');
  });

  it('says nothing of no arguments', () => {
    expect([callArgument({}), callArgument(undefined), callArgument('text')]).toEqual(['', '', '']);
  });
});
