import { expect, it } from 'vitest';
import { revealed } from './revealed';

const recorded = {
  temperature: 0,
  extraBody: { user: 'a', api_key: '[hidden]', list: [{ token: '[hidden]' }] },
};

it('puts what a record hides back from what was typed', () => {
  const typed = { temperature: 1, extraBody: { api_key: 's', list: [{ token: 't' }], old: true } };
  expect(revealed(recorded, typed)).toEqual({
    temperature: 0,
    extraBody: { user: 'a', api_key: 's', list: [{ token: 't' }] },
  });
});

it('leaves out what nobody has any more', () => {
  expect(revealed(recorded, undefined)).toEqual({ temperature: 0, extraBody: { user: 'a', list: [{}] } });
  expect(revealed(undefined, { temperature: 1 })).toBeUndefined();
});
