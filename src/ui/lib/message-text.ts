/** The plain text of a message, for rows, cards and copying. */
import type { MessageBody, RecordedContent } from '../../records/types';

export { toolChanges, toolsDeclared } from '../../trace';

interface WithContent {
  content?: unknown;
}

/** Its text blocks, joined; empty for a role of the host's own without any. */
export function textOf(message: MessageBody): string {
  const { content } = message as WithContent;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return (content as { type: string; text?: string }[])
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text ?? '')
    .join('\n');
}

/** The text of a result; images count as nothing. */
export function resultText(content: readonly RecordedContent[]): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
