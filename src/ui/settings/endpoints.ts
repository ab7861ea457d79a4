import { m } from '../../i18n';
import { originOf } from './origin';

/** A kind of server that people often use. The client of the models knows the same ones (a test compares them). */
export interface EndpointPreset {
  id: string;
  /** A product's name, which is not translated; empty for any other server. */
  name: string;
  /** Empty: it has to be typed. */
  baseUrl: string;
  needsKey: boolean;
  /** What has to be set on the server's side. `origin` is that of this page. */
  note: (inputs: { origin: string }) => string;
}

export const endpointPresets: readonly EndpointPreset[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    baseUrl: 'https://api.openai.com/v1',
    needsKey: true,
    note: m.preset_note_openai,
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    needsKey: true,
    note: m.preset_note_openrouter,
  },
  {
    id: 'ollama',
    name: 'Ollama',
    baseUrl: 'http://localhost:11434/v1',
    needsKey: false,
    note: m.preset_note_ollama,
  },
  {
    id: 'lmstudio',
    name: 'LM Studio',
    baseUrl: 'http://localhost:1234/v1',
    needsKey: false,
    note: m.preset_note_lmstudio,
  },
  {
    id: 'llamacpp',
    name: 'llama.cpp',
    baseUrl: 'http://localhost:8080/v1',
    needsKey: false,
    note: m.preset_note_llamacpp,
  },
  {
    id: 'vllm',
    name: 'vLLM',
    baseUrl: 'http://localhost:8000/v1',
    needsKey: false,
    note: m.preset_note_vllm,
  },
  { id: 'custom', name: '', baseUrl: '', needsKey: false, note: m.preset_note_custom },
];

/** The preset that an address belongs to, by its origin; that for any other server when none does, or while it is empty. */
export function presetOf(baseUrl: string): EndpointPreset | undefined {
  const origin = originOf(baseUrl.trim());
  const same = (preset: EndpointPreset) => preset.baseUrl !== '' && originOf(preset.baseUrl) === origin;
  return endpointPresets.find(same) ?? endpointPresets.at(-1);
}
