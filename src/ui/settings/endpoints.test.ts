import { expect, it } from 'vitest';
import { presetOf as presetOfModels, presets } from '../../models/presets';
import { endpointPresets, presetOf } from './endpoints';

it('the page offers the servers that the client of the models knows, with the same notes', () => {
  const known = presets.map(({ id, name, baseUrl, needsKey, note }) => ({
    id,
    name,
    baseUrl,
    needsKey,
    note,
  }));
  expect(endpointPresets.map((preset) => ({ ...preset, note: `preset_note_${preset.id}` }))).toEqual(known);
  for (const { id, note } of endpointPresets) expect(note({ origin: 'https://page.test' }), id).not.toBe('');
});

it.each([
  ' http://localhost:11434/other ',
  'https://api.openai.com',
  'http://localhost:9/v1',
  'localhost',
  '',
])('of the address %j both say the same server', (address) =>
  expect(presetOf(address)?.id).toBe(presetOfModels(address).id),
);
