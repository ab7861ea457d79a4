/** Blocks of an answer as a script writes them. */
import type { AssistantBody } from '../records/types';
import type { ScriptedBlock } from './types';

/** A block of which only what streamed is known. */
export interface StreamedPart {
  type: 'text' | 'thinking' | 'toolCall';
  parts: string[];
  id?: string;
  name?: string;
}

/** `streamed`: the joined deltas, if it streamed; `usualId`: the id that a script gives a call without one. */
export function scriptedBlock(
  block: AssistantBody['content'][number],
  streamed: string | undefined,
  usualId: string,
): ScriptedBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: 'text' in block ? block.text : (streamed ?? '') };
    case 'thinking':
      return { type: 'thinking', thinking: 'thinking' in block ? block.thinking : (streamed ?? '') };
    case 'toolCall': {
      const call = { type: 'toolCall' as const, ...idOf(block.id, usualId), name: block.name || 'unnamed' };
      if (streamed !== undefined) return { ...call, ...argumentsOf(streamed) };
      if (!('arguments' in block)) return { ...call, rawArguments: '' };
      const json = JSON.stringify(block.arguments);
      if (!isPlain(json)) return { ...call, rawArguments: json };
      const { argumentsError, argumentsRepaired } = block;
      return {
        ...call,
        arguments: block.arguments,
        ...(argumentsError === undefined ? {} : { argumentsError }),
        ...(argumentsRepaired ? { argumentsRepaired } : {}),
      };
    }
  }
}

export function bareBlock({ type, parts, id = '', name = '' }: StreamedPart, usualId: string): ScriptedBlock {
  const text = parts.join('');
  if (type === 'text') return { type, text };
  if (type === 'thinking') return { type, thinking: text };
  return { type, ...idOf(id, usualId), name: name || 'unnamed', ...argumentsOf(text) };
}

function idOf(id: string, usualId: string): { id?: string } {
  return id === '' || id === usualId ? {} : { id };
}

/** As an object where that is written as the same text; else the text. */
function argumentsOf(text: string): { arguments: Record<string, unknown> } | { rawArguments: string } {
  const value = isPlain(text) ? parsed(text) : undefined;
  return value && JSON.stringify(value) === text ? { arguments: value } : { rawArguments: text };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    // No JSON: the text itself is kept.
    return undefined;
  }
}

/** Whether a scenario may hold this JSON as an object: it refuses deep ones, and a key that reaches prototypes. */
export function isPlain(json: string): boolean {
  if (/"__proto__"\s*:/.test(json)) return false;
  let depth = 0;
  for (const character of json.matchAll(/[[\]{}]/g)) {
    depth += '[{'.includes(character[0]) ? 1 : -1;
    if (depth > 40) return false;
  }
  return true;
}
