import type { Model, ModelCompat, ThinkingLevel } from '../loop';

/** The fields of a Chat Completions body that ask for thinking; none when it is off or the model cannot think. */
export function thinkingFields(
  model: Model,
  { thinkingFormat = 'openai' }: ModelCompat,
  level: ThinkingLevel | undefined,
): Record<string, unknown> {
  const on = level !== undefined && level !== 'off';
  if ((model.reasoning as boolean | undefined) === false || thinkingFormat === 'none') return {};
  switch (thinkingFormat) {
    // Absent means off here: naming "no effort" is an error for models that cannot turn it off.
    case 'openai':
      return on ? { reasoning_effort: effort(level) } : {};
    case 'openrouter':
      return on ? { reasoning: { effort: effort(level) } } : {};
    case 'qwen':
      return level === undefined ? {} : { enable_thinking: on };
    case 'chatTemplate':
      return level === undefined ? {} : { chat_template_kwargs: { enable_thinking: on } };
    case 'zai':
      return level === undefined ? {} : { thinking: { type: on ? 'enabled' : 'disabled' } };
  }
}

/** The API's own name of a level. */
export function effort(level: ThinkingLevel): string {
  return level === 'max' ? 'xhigh' : level;
}
