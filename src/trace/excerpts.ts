/** Short texts for rows: one line, cut. What is long is never joined or walked twice. */
import type { MessageBody, RecordedResult } from '../records/types';
import type { BlockNode } from './types';

const LENGTH = 160;
/** Keys whose value says most of what a call is about. */
const TELLING = ['path', 'command', 'pattern', 'query', 'url', 'text'];

/** The first line that says something, at most 160 characters. */
export function firstLine(text: string): string {
  // Beyond this nobody reads on for a first line.
  const start = text.slice(0, 20 * LENGTH).trimStart();
  const end = start.search(/[\r\n]/);
  return (end === -1 ? start : start.slice(0, end)).slice(0, LENGTH).trimEnd();
}

/** A line without the marks of Markdown: headings, quotes, lists, emphasis, code, links. */
export function withoutMarks(line: string): string {
  return line
    .replace(/^(?:#{1,6}|>|[-*+]|\d{1,3}[.)])\s+/, '')
    .replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(`+)([^`]+)\1/g, '$2')
    .replace(/\*\*(?=\S)([^*]*[^*\s])\*\*/g, '$1')
    .replace(/(?<![\w*])\*(?=\S)([^*]*[^*\s])\*(?![\w*])/g, '$1');
}

const blockLines = new WeakMap<readonly string[], string>();

/** The first line of what streamed so far; of prose without the marks of Markdown. */
export function blockLine(block: BlockNode): string {
  const known = blockLines.get(block.parts);
  if (known !== undefined) return known;
  let text = '';
  for (const part of block.parts) {
    text = (text + part).trimStart();
    if (text.length > LENGTH || /[\r\n]/.test(text)) break;
  }
  const first = firstLine(text);
  const line = block.type === 'toolCall' ? first : withoutMarks(first);
  if (block.endAt !== undefined) blockLines.set(block.parts, line);
  return line;
}

/** The texts of a message's content; a role of the host's own may carry content of any shape. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: unknown) => (isText(part) ? part.text : '')).join('');
}

function isText(part: unknown): part is { text: string } {
  return typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string';
}

/** What a system message changes of the tools: `+ grep − dig`. Empty when it changes none. */
export function toolChanges(message: MessageBody): string {
  if (message.role !== 'system') return '';
  const { toolsAdded = [], toolsRemoved = [] } = message as Extract<MessageBody, { role: 'system' }>;
  const changes = [
    ...toolsAdded.map(({ name }) => `+ ${name}`),
    ...toolsRemoved.map(({ name }) => `− ${name}`),
  ];
  return changes.join(' ');
}

/** Names of the tools that a system message declares. */
export function toolsDeclared(message: MessageBody): string[] {
  if (message.role !== 'system') return [];
  const { toolsAdded = [] } = message as Extract<MessageBody, { role: 'system' }>;
  return toolsAdded.map(({ name }) => name);
}

const summaries = new WeakMap<object, string>();

/** The argument that tells most, else all of them as JSON; one line. */
export function argumentSummary(args: Record<string, unknown>): string {
  let summary = summaries.get(args);
  if (summary === undefined) summaries.set(args, (summary = summarize(args)));
  return summary;
}

function summarize(args: Record<string, unknown>): string {
  const key = TELLING.find((name) => typeof args[name] === 'string') ?? Object.keys(args)[0];
  if (key === undefined) return '';
  const value = args[key];
  return typeof value === 'string' && (TELLING.includes(key) || Object.keys(args).length === 1)
    ? firstLine(value)
    : firstLine(JSON.stringify(args));
}

export interface ResultSummary {
  /** Its first line. */
  text: string;
  /** The last one that says something: of a tool that runs, what it does now. */
  last: string;
  lines: number;
  images: number;
}

const results = new WeakMap<RecordedResult, ResultSummary>();

export function resultSummary(result: RecordedResult): ResultSummary {
  let summary = results.get(result);
  if (!summary) {
    const text = contentText(result.content);
    const images = result.content.filter((part) => part.type === 'image').length;
    results.set(
      result,
      (summary = { text: firstLine(text), last: lastLine(text), lines: lineCount(text), images }),
    );
  }
  return summary;
}

function lastLine(text: string): string {
  // As for a first line: nobody reads on from further away.
  const end = text.slice(-20 * LENGTH).trimEnd();
  const start = Math.max(end.lastIndexOf('\n'), end.lastIndexOf('\r')) + 1;
  return end.slice(start).trimStart().slice(0, LENGTH);
}

function lineCount(text: string): number {
  if (text === '') return 0;
  let lines = text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
