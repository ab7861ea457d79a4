/** Stream functions: scripted, a person, and OpenAI-compatible servers. */
export { endpointUrl } from './endpoint-url';
export { chatRequest, type ChatRequest } from './chat-request';
export { responsesRequest } from './responses-request';
export { ModelError, type ModelErrorCode } from './errors';
export { findModels, listModels, type FoundModels, type ListModelsOptions } from './list-models';
export { openaiChat } from './openai-chat';
export { openaiResponses } from './openai-responses';
export { endpointModel, presetOf, presets, type Preset, type PresetId } from './presets';
export type { Repair } from './repaired-transcript';
export { manualModel, manualModelInfo, type ManualAnswer, type ManualModelOptions } from './manual';
export { testConnection } from './test-connection';
export type { PlayedBlock, PlayedTurn } from './playback';
export { scriptedModel, scriptedModelInfo, type ScriptedModelOptions } from './scripted';
