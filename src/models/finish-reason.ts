import type { ModelCompat } from '../loop';

type Meaning = 'stop' | 'length' | 'toolUse' | 'error';

const MEANINGS: Record<string, Meaning> = {
  length: 'length',
  max_tokens: 'length',
  max_output_tokens: 'length',
  model_length: 'length',
  tool_calls: 'toolUse',
  tool_call: 'toolUse',
  tool_use: 'toolUse',
  function_call: 'toolUse',
  error: 'error',
  network_error: 'error',
  content_filter: 'error',
  sensitive: 'error',
  safety: 'error',
  recitation: 'error',
  prohibited_content: 'error',
  malformed_function_call: 'error',
  insufficient_system_resource: 'error',
  abort: 'error',
  aborted: 'error',
  cancelled: 'error',
};

/** What a finish reason means. One that nobody knows is a stop: the server did say that it finished. */
export function finishMeaning(reason: string, compat: ModelCompat | undefined): Meaning {
  return compat?.finishReasons?.[reason] ?? MEANINGS[reason.toLowerCase()] ?? 'stop';
}
