import { expect, it } from 'vitest';
import { builtInTools } from '../../scenario/built-in-tools';
import type { Scenario } from '../../scenario/types';
import { offeredTools } from './tools';

const scenario = {
  tools: ['read', { name: 'dig', description: 'Digs.', durationMs: 1 }],
  actions: [
    { do: 'tools', tools: ['read', { name: 'fill', durationMs: 1 }, { name: 'dig', durationMs: 2 }] },
  ],
} as unknown as Scenario;

it('offers what the scenario scripts, also what comes later, and then every built-in tool with a line on each', () => {
  const tools = offeredTools(scenario, ['read', 'dig']);
  expect(tools.map(({ name }) => name)).toEqual(['dig', 'fill', ...builtInTools]);
  expect(tools.filter(({ isOn }) => isOn).map(({ name }) => name)).toEqual(['dig', 'read']);
  expect(tools[0]).toEqual({ name: 'dig', text: 'Digs.', isScripted: true, isOn: true });
  expect(tools.filter(({ isScripted, text }) => !isScripted && text === '')).toEqual([]);
});

it('a scripted tool takes the place of the built-in one of its name', () => {
  const named = { tools: [{ name: 'read', durationMs: 1 }] } as unknown as Scenario;
  expect(offeredTools(named, []).filter(({ name }) => name === 'read')).toEqual([
    { name: 'read', text: '', isScripted: true, isOn: false },
  ]);
});
