import { expect, it } from 'vitest';
import { refusedCall } from './refused';

const at = (path: string) => ({ code: 'scenario.tooLong', params: { path } });

it('what was refused about a call is found by its place behind thinking and text', () => {
  expect(refusedCall(at('blocks[2].name'), { thinking: 'a', text: 'b' })).toBe(0);
  expect(refusedCall(at('blocks[1].rawArguments'), { thinking: '', text: '' })).toBe(1);
});

it('what was refused about anything else is at no call', () => {
  expect(refusedCall(at('blocks[0].text'), { thinking: '', text: 'b' })).toBeUndefined();
  expect(refusedCall(at('chunk'), { thinking: '', text: '' })).toBeUndefined();
  expect(refusedCall({ code: 'ask.over' }, { thinking: '', text: '' })).toBeUndefined();
});
