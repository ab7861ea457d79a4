/** What the model sees of a request: its messages with the row that stands for each, and the tools that they declare. */
import type { MessageBody } from '../../records/types';
import type { RequestNode, Trace } from '../../trace';
import { contextView } from '../../trace/context';
import type { ContextEntry } from '../../trace/context';
import { contextRows } from '../inspector/context-rows';
import type { ContextRow } from '../inspector/context-rows';

type SystemBody = Extract<MessageBody, { sections?: unknown }>;
export type ToolDeclaration = NonNullable<SystemBody['toolsAdded']>[number];

export type SeenMessage = Pick<ContextRow, 'key' | 'glyph' | 'tone' | 'text' | 'role'> &
  Pick<ContextEntry, 'message'> & {
    /** The request before did not carry it. Of the first request, none is. */
    isNew: boolean;
  };

export interface Seen {
  messages: SeenMessage[];
  /** Those that can be called. */
  tools: ToolDeclaration[];
  /** Messages that the request before carried and this one does not. */
  gone: number;
  isFirst: boolean;
  /** About how many tokens it is. */
  tokens: number;
}

export function seenIn(trace: Trace, request: RequestNode): Seen {
  const view = contextView(trace, request.turn);
  if (!view) return { messages: [], tools: [], gone: 0, isFirst: true, tokens: 0 };
  const rows = contextRows(trace, view).filter(({ inContext }) => inContext);
  const isFirst = view.comparedWith === undefined;
  const messages = view.context.flatMap(({ message, isAdded }, index): SeenMessage[] => {
    const row = rows[index];
    if (!row) return [];
    const { key, glyph, tone, role } = row;
    const text = row.text || namesIn(message);
    return [{ key, glyph, tone, text, role, message, isNew: isAdded && !isFirst }];
  });
  return {
    messages,
    tools: declaredTools(messages.map(({ message }) => message)),
    gone: view.removed.length,
    isFirst,
    tokens: view.size.tokens,
  };
}

/** The tools that a message without a text declares. */
function namesIn(message: ContextEntry['message']): string {
  return ((message as SystemBody).toolsAdded ?? []).map(({ name }) => name).join(', ');
}

/** System messages declare tools and take them back, in order. */
function declaredTools(messages: readonly ContextEntry['message'][]): ToolDeclaration[] {
  const tools = new Map<string, ToolDeclaration>();
  for (const message of messages) {
    if (message.role !== 'system') continue;
    const { toolsAdded = [], toolsRemoved = [] } = message as SystemBody;
    for (const { name } of toolsRemoved) tools.delete(name);
    for (const tool of toolsAdded) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}
