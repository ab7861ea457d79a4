import type { CallPiece } from './tool-call-routing';

export type Fields = Record<string, unknown>;

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
}

/** A text that says something; nothing for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

interface ContentPiece {
  type: 'text' | 'thinking';
  text: string;
}

/** Content is a text, or a list of parts as some servers send it; thinking may be among them. */
export function contentPieces(content: unknown): ContentPiece[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  const parts: unknown[] = Array.isArray(content) ? content : [content];
  return parts.flatMap((part): ContentPiece[] => {
    const fields = fieldsOf(part);
    const inner = fields?.thinking;
    if (fields?.type === 'thinking') {
      const text = contentPieces(inner).map((piece) => piece.text);
      return text.length > 0 ? [{ type: 'thinking', text: text.join('') }] : [];
    }
    const text = typeof part === 'string' ? part : textOf(fields?.text);
    return text ? [{ type: 'text', text }] : [];
  });
}

const REASONING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text'];

export interface ReasoningPiece {
  field: string;
  text: string;
  items?: Fields[];
}

/** The reasoning of one chunk, from one field: servers that send two send the same text twice. */
export function reasoningPiece(delta: Fields): ReasoningPiece | undefined {
  const items = Array.isArray(delta.reasoning_details)
    ? delta.reasoning_details.map(fieldsOf).filter((item) => item !== undefined)
    : [];
  const field = REASONING_FIELDS.find((name) => textOf(delta[name]) !== undefined);
  if (items.length > 0) {
    const own = items.map((item) => textOf(item.text) ?? textOf(item.summary) ?? '').join('');
    return { field: 'reasoning_details', text: (field && textOf(delta[field])) ?? own, items };
  }
  return field ? { field, text: textOf(delta[field]) ?? '' } : undefined;
}

/** Items that came in pieces, joined by type and index; the provider wants them back as they would have come whole. */
export function mergeItems(items: unknown[], pieces: Fields[]): unknown[] {
  const merged = [...items] as Fields[];
  for (const piece of pieces) {
    const last = merged.at(-1);
    const isText = piece.type === 'reasoning.text' || piece.type === 'reasoning.summary';
    const joins = last && last.type === piece.type && last.index === piece.index;
    if (!joins || !(isText || typeof piece.index === 'number')) {
      merged.push({ ...piece });
      continue;
    }
    for (const [name, value] of Object.entries(piece)) {
      if (['text', 'summary', 'data'].includes(name) && typeof value === 'string')
        last[name] = `${textOf(last[name]) ?? ''}${value}`;
      else if (value !== null && value !== undefined) last[name] = value;
    }
  }
  return merged;
}

/** The tool calls of a delta: a list, one alone, or the old `function_call`. Entries that say nothing are left out. */
export function callPieces(delta: Fields): CallPiece[] {
  const { tool_calls: calls, function_call: old } = delta;
  const entries: unknown[] = Array.isArray(calls) ? calls : calls ? [calls] : old ? [{ function: old }] : [];
  return entries.flatMap((entry, at) => {
    const fields = fieldsOf(entry);
    if (!fields) return [];
    const custom = fieldsOf(fields.custom) ?? {};
    const call = fieldsOf(fields.function) ?? {};
    const index = indexOf(fields.index);
    const id = idText(fields.id);
    const name = textOf(call.name) ?? textOf(custom.name);
    const isAnother = at > 0 && index === undefined && id === undefined && name !== undefined;
    return [{ index, id, name, text: argumentsText(call.arguments ?? custom.input), isAnother }];
  });
}

function indexOf(index: unknown): number | undefined {
  if (typeof index === 'number') return index;
  return typeof index === 'string' && /^\d+$/.test(index) ? Number(index) : undefined;
}

function idText(id: unknown): string | undefined {
  return typeof id === 'number' ? String(id) : textOf(id);
}

/** Some servers send the arguments as an object instead of its text. */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : '';
}
