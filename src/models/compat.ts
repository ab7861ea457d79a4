import type { Model, ModelCompat } from '../loop';

/** Hosts whose differences are known; a model's own `compat` goes before them. */
const KNOWN_HOSTS: [RegExp, ModelCompat][] = [
  [
    /(?:^|\.)openai\.com$|\.openai\.azure\.com$/,
    { maxTokensField: 'max_completion_tokens', supportsSystemMidway: true },
  ],
  [/(?:^|\.)openrouter\.ai$/, { thinkingFormat: 'openrouter' }],
  [/(?:^|\.)mistral\.ai$/, { toolCallIdLength: 9, thinkingFormat: 'none' }],
  [/(?:^|\.)z\.ai$|(?:^|\.)bigmodel\.cn$/, { thinkingFormat: 'zai' }],
  [/(?:^|\.)dashscope(?:-intl)?\.aliyuncs\.com$/, { thinkingFormat: 'qwen' }],
];

/** How the model's server differs from the common case. */
export function compatOf(model: Model): ModelCompat {
  const host = URL.canParse(model.baseUrl) ? new URL(model.baseUrl).hostname : '';
  const known = KNOWN_HOSTS.find(([pattern]) => pattern.test(host))?.[1];
  return { ...known, ...model.compat };
}
