/** The context of a request and the new messages of its run as one list, in which each says to which it belongs. */
import { blockText, isWholeAssistant, messageOf } from '../../trace';
import type { MessageNode, Trace } from '../../trace';
import type { ContextEntry, ContextView, MessageSize } from '../../trace/context';
import type { GlyphKind } from '../lib/glyphs';
import { textOf } from '../lib/message-text';

export type Tone = 'user' | 'assistant' | 'system' | 'tool' | 'steering' | 'follow-up' | 'hook' | 'note';

export interface ContextRow {
  key: string;
  /** Absent for what a hook made for the request alone. */
  id?: string;
  role: string;
  glyph: GlyphKind;
  tone: Tone;
  text: string;
  size: MessageSize;
  inContext: boolean;
  isNew: boolean;
  /** Against the request before. */
  change: 'added' | 'removed' | undefined;
}

/** What the request before carried and this one does not comes first; what the run added later comes last. */
export function contextRows(trace: Trace, { context, removed, newMessages }: ContextView): ContextRow[] {
  const gone = removed.map((entry, index): ContextRow => ({
    ...entryRow(trace, entry, `gone:${index}`),
    inContext: false,
    change: 'removed',
  }));
  const carried = context.map((entry, index): ContextRow => ({
    ...entryRow(trace, entry, `in:${index}`),
    inContext: true,
    change: entry.isAdded ? 'added' : undefined,
  }));
  const told = new Set([...gone, ...carried].map(({ id }) => id));
  const others = newMessages
    .filter(({ id }) => !told.has(id))
    .map(({ id, role, size }): ContextRow => ({
      key: `new:${id}`,
      id,
      role,
      ...look(role, trace.messages.get(id)),
      text: nodeText(trace, trace.messages.get(id)),
      size,
      inContext: false,
      isNew: true,
      change: undefined,
    }));
  return [...gone, ...carried, ...others];
}

function entryRow(trace: Trace, entry: Omit<ContextEntry, 'isAdded'>, key: string) {
  const { id, role, message, size, isNew } = entry;
  const node = id === undefined ? undefined : trace.messages.get(id);
  const text = isWholeAssistant(message) ? nodeText(trace, node) : oneLine(textOf(message));
  const ofHook = id === undefined;
  return {
    key,
    ...(ofHook ? {} : { id }),
    role,
    ...(ofHook ? { glyph: 'hook' as const, tone: 'hook' as const } : look(role, node)),
    text,
    size,
    isNew,
  };
}

function look(role: string, node: MessageNode | undefined): { glyph: GlyphKind; tone: Tone } {
  const { origin } = node ?? {};
  if (origin === 'steering') return { glyph: 'steering', tone: 'steering' };
  if (origin === 'followUp') return { glyph: 'follow-up', tone: 'follow-up' };
  if (role === 'user' || role === 'assistant' || role === 'system') return { glyph: role, tone: role };
  return role === 'toolResult' ? { glyph: 'tool', tone: 'tool' } : { glyph: 'note', tone: 'note' };
}

/** Its text, else the tools that it calls, else what it thought. */
function nodeText(trace: Trace, node: MessageNode | undefined): string {
  if (!node) return '';
  if (node.role !== 'assistant') {
    const whole = messageOf(trace, node.id);
    return whole ? oneLine(textOf(whole)) : '';
  }
  const said = node.blocks.filter(({ type }) => type === 'text').map(blockText);
  const tools = node.blocks.flatMap(({ toolName }) => toolName ?? []);
  const thought = node.blocks.filter(({ type }) => type === 'thinking').map(blockText);
  return oneLine(said.join(' ').trim() || tools.join(', ') || thought.join(' '));
}

function oneLine(text: string): string {
  return text.slice(0, 400).replace(/\s+/g, ' ').trim();
}
