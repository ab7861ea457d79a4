import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from './patch';

describe('unifiedDiff', () => {
  it('is a patch with three lines around a change', () => {
    const before = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
    expect(unifiedDiff('f.txt', before, before.replace('5\n', 'five\nFIVE\n'))).toEqual({
      patch: '--- f.txt\n+++ f.txt\n@@ -2,7 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n+FIVE\n 6\n 7\n 8\n',
      added: 2,
      removed: 1,
    });
  });

  it('says that a file is new, and when the last line has no end', () => {
    const { patch } = unifiedDiff('f.txt', undefined, 'a\nb');
    expect(patch).toBe('--- /dev/null\n+++ f.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n');
  });

  it('is empty when nothing changed', () => {
    expect(unifiedDiff('f.txt', 'a', 'a')).toEqual({ patch: '', added: 0, removed: 0 });
  });

  it('leads from one text to the other', () => {
    const text = fc
      .array(fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'é'), { maxLength: 20 })
      .map((lines) => lines.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        const { patch } = unifiedDiff('f.txt', before, after);
        expect(applyPatch(before, patch, { autoConvertLineEndings: false })).toBe(after);
      }),
    );
  });

  it('is one large hunk when the smallest diff would take too long, and still right', () => {
    const lines = (seed: number) =>
      Array.from({ length: 5000 }, (_, index) => `${(index * seed) % 5003}\n`).join('');
    const before = `same\n${lines(7)}end 1\nend 2`;
    const after = `same\n${lines(11)}end 1\nend 2`;
    const { patch, added, removed } = unifiedDiff('f.txt', before, after);
    expect(patch.match(/^@@/gm)).toHaveLength(1);
    expect(applyPatch(before, patch)).toBe(after);
    expect([added, removed]).toEqual([4999, 4999]);
  });
});
