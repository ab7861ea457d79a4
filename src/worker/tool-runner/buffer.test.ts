import { expect, it } from 'vitest';
import { installBuffer } from './buffer';

it('what stands in for Buffer gives what Buffer gives', () => {
  const scope = globalThis as { Buffer?: unknown };
  const real = Buffer;
  delete scope.Buffer;
  installBuffer();
  const standIn = Buffer;
  scope.Buffer = real;
  expect(standIn).not.toBe(real);
  const texts = ['', 'a', 'é中😀', 'x'.repeat(100_000)];
  for (const text of texts) {
    expect(standIn.from(text).toString('base64')).toBe(real.from(text).toString('base64'));
    expect(standIn.from(text, 'utf-8').toString('latin1')).toBe(real.from(text).toString('latin1'));
    expect(standIn.from(real.from(text).toString('base64'), 'base64').toString('utf8')).toBe(text);
    expect(standIn.from(new Uint8Array(real.from(text))).toString('utf-8')).toBe(text);
  }
  expect([...standIn.from('é', 'latin1')]).toEqual([0xe9]);
});

it('a Buffer that is there stays', () => {
  const real = Buffer;
  installBuffer();
  expect(Buffer).toBe(real);
});
