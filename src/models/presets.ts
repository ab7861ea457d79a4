import type { Model, ModelCompat } from '../loop';
import { checkedBaseUrl } from './http';

export type PresetId = 'openai' | 'openrouter' | 'ollama' | 'lmstudio' | 'llamacpp' | 'vllm' | 'custom';

/** A kind of endpoint that a person can choose. */
export interface Preset {
  id: PresetId;
  /** A proper name, the same in every language. */
  name: string;
  /** Empty when it has to be typed. */
  baseUrl: string;
  api: 'openai-chat' | 'openai-responses';
  needsKey: boolean;
  /** Key of a note in the catalogue of texts: what has to be set on the server's side. */
  note: string;
  compat?: ModelCompat;
}

export const presets: readonly Preset[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    api: 'openai-chat',
    needsKey: true,
    note: 'preset_note_openai',
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    api: 'openai-chat',
    needsKey: true,
    note: 'preset_note_openrouter',
  },
  {
    id: 'ollama',
    name: 'Ollama',
    baseUrl: 'http://localhost:11434/v1',
    api: 'openai-chat',
    needsKey: false,
    note: 'preset_note_ollama',
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    baseUrl: 'http://localhost:1234/v1',
    api: 'openai-chat',
    needsKey: false,
    note: 'preset_note_lmstudio',
  },
  {
    id: 'llamacpp',
    name: 'llama.cpp',
    baseUrl: 'http://localhost:8080/v1',
    api: 'openai-chat',
    needsKey: false,
    note: 'preset_note_llamacpp',
    compat: { thinkingFormat: 'chatTemplate' },
  },
  {
    id: 'vllm',
    name: 'vLLM',
    baseUrl: 'http://localhost:8000/v1',
    api: 'openai-chat',
    needsKey: false,
    note: 'preset_note_vllm',
    compat: { thinkingFormat: 'chatTemplate' },
  },
  {
    id: 'custom',
    name: '',
    baseUrl: '',
    api: 'openai-chat',
    needsKey: false,
    note: 'preset_note_custom',
  },
];

/** The preset that a base URL belongs to, by its origin; `custom` when none does. */
export function presetOf(baseUrl: string): Preset {
  const origin = originOf(baseUrl);
  const known = presets.find((preset) => preset.baseUrl !== '' && originOf(preset.baseUrl) === origin);
  return known ?? customPreset();
}

/** The model behind an endpoint, as stream functions take it. What is not known of it is left open. */
export function endpointModel(endpoint: {
  baseUrl: string;
  model: string;
  api?: Preset['api'];
  prices?: { input: number; output: number; cacheRead?: number; cacheWrite?: number };
  images?: boolean;
  compat?: ModelCompat;
}): Model {
  const preset = presetOf(endpoint.baseUrl);
  const compat = { ...preset.compat, ...endpoint.compat };
  return {
    id: endpoint.model,
    name: endpoint.model,
    api: endpoint.api ?? preset.api,
    provider: preset.id === 'custom' ? (originOf(endpoint.baseUrl) ?? 'custom') : preset.id,
    baseUrl: checkedBaseUrl(endpoint.baseUrl),
    reasoning: true,
    input: endpoint.images === false ? ['text'] : ['text', 'image'],
    cost: costOf(endpoint.prices),
    contextWindow: 0,
    maxTokens: 0,
    ...(Object.keys(compat).length > 0 ? { compat } : {}),
  };
}

/** What the cache has no price of its own for costs as much as input. */
function costOf(
  prices: Parameters<typeof endpointModel>[0]['prices'] = { input: 0, output: 0 },
): Model['cost'] {
  const { input, output, cacheRead = input, cacheWrite = input } = prices;
  return { input, output, cacheRead, cacheWrite };
}

function originOf(baseUrl: string): string | undefined {
  const text = baseUrl.trim();
  return URL.canParse(text) ? new URL(text).origin : undefined;
}

function customPreset(): Preset {
  const custom = presets.find(({ id }) => id === 'custom');
  if (!custom) throw new Error('There is no preset for endpoints of one’s own');
  return custom;
}
