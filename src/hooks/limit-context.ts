import type { AgentMessage } from '../loop/types';

/**
 * The system messages, which hold prompt and tools, and at least the last `keep` others. Where the cut would part tool
 * results from the message that called for them, that message and its results stay too.
 */
export function limitContext(messages: AgentMessage[], keep: number): AgentMessage[] {
  const others = messages.filter((message) => message.role !== 'system');
  if (others.length <= keep) return messages;
  let start = others.length - keep;
  while (start > 0 && others[start]?.role === 'toolResult') start--;
  if (start === 0) return messages;
  const kept = new Set(others.slice(start));
  return messages.filter((message) => message.role === 'system' || kept.has(message));
}
