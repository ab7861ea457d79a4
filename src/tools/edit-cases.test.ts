import { describe, expect, it } from 'vitest';
import { createTools, VirtualFileSystem } from './index';

interface EditCase {
  id: string;
  path: string;
  file: string | null;
  edits?: unknown;
  rawArguments?: unknown;
  expect: { content?: string; errorContains?: string[] };
  why: string;
}

const cases = Object.values(
  import.meta.glob<EditCase>('./cases/edit/*.json', { eager: true, import: 'default' }),
);

async function edit(fs: VirtualFileSystem, rawArguments: unknown) {
  const [tool] = createTools(fs, { only: ['edit'] });
  const args = tool?.prepareArguments?.(rawArguments) ?? {};
  return await tool?.execute('call-1', args);
}

describe('the edit tool in cases of bug reports', () => {
  it('has cases', () => expect(cases.length).toBeGreaterThan(25));

  it.each(cases.map((each) => [each.id, each] as const))('%s', async (_id, { path, file, ...each }) => {
    const fs = new VirtualFileSystem(file === null ? {} : { [path]: file });
    const running = edit(fs, each.rawArguments ?? { path, edits: each.edits });
    if (each.expect.content !== undefined) {
      await running;
      expect(fs.readText(path), each.why).toBe(each.expect.content);
    } else {
      const error = await running.then(
        () => 'no error',
        (thrown: unknown) => String(thrown),
      );
      for (const part of each.expect.errorContains ?? ['?']) expect(error, each.why).toContain(part);
      if (file !== null) expect(fs.readText(path)).toBe(file);
    }
  });
});
