import { expect, it } from 'vitest';
import { zipName } from './zip-name';

it('a zip is called by its session', () => {
  expect(zipName('Fix: the "slug"/测试')).toBe('fix-the-slug-测试-files.zip');
  expect(zipName('../?')).toBe('session-files.zip');
});
