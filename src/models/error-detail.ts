import { wellFormed } from '../json';

const MAX_DETAIL = 500;
const MAX_BRIEF = 160;

/**
 * What an error body says, as one short text: the message of the many shapes of JSON that servers send, the title of an HTML
 * page, else the text. Empty when it says nothing.
 */
export function errorDetail(body: string): string {
  const text = body.trim();
  if (/^[{["]/.test(text)) {
    const json = parse(text);
    if (json !== undefined) return shorten(detailOf(json) || text);
  }
  if (looksLikeHtml(text)) return shorten(htmlText(text));
  return shorten(text);
}

/** The same for an error that is already an object or a text. Never empty. */
export function detailOfError(error: unknown): string {
  return shorten(detailOf(error) || compact(error) || 'unknown error');
}

/** What a chunk says that is no part of an answer; empty when it says nothing. */
export function complaintOf(chunk: Record<string, unknown>): string {
  const says = ['message', 'msg', 'detail', 'error_message'].some((name) => Boolean(chunk[name]));
  return says ? shorten(detailOf(chunk)) : '';
}

/** As much of a detail as stands well in a sentence: one line, cut at a word. */
export function brief(detail: string): string {
  const line = detail.replace(/\s+/g, ' ').trim();
  if (line.length <= MAX_BRIEF) return line;
  const start = line.slice(0, MAX_BRIEF - 1);
  const word = start.lastIndexOf(' ');
  return `${wellFormed(word > MAX_BRIEF / 2 ? start.slice(0, word) : start)}…`;
}

export function looksLikeHtml(text: string): boolean {
  return /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head|body)\b/i.test(text.slice(0, 2000));
}

function detailOf(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value.trim();
  if (depth > 4 || typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return value.map((each) => detailOf(each, depth + 1)).find(Boolean) ?? '';
  const fields = value as Record<string, unknown>;
  const message = firstText(
    ['message', 'error', 'msg', 'detail', 'error_message', 'errors', 'title'],
    fields,
    depth,
  );
  const code = [fields.code, fields.type].find(
    (each) => (typeof each === 'string' && each !== '' && each !== 'error') || typeof each === 'number',
  ) as string | number | undefined;
  const cause = nestedCause(fields.metadata, depth);
  const parts = [
    message,
    code && !message.includes(String(code)) ? `(${code})` : '',
    cause && !message.includes(cause) ? cause : '',
  ];
  return parts.filter(Boolean).join(' ');
}

function firstText(names: string[], fields: Record<string, unknown>, depth: number): string {
  for (const name of names) {
    const text = detailOf(fields[name], depth + 1);
    if (text) return text;
  }
  return '';
}

/** A gateway puts what the provider behind it said into `metadata.raw`, often as JSON in a string. */
function nestedCause(metadata: unknown, depth: number): string {
  if (typeof metadata !== 'object' || metadata === null) return '';
  const { raw } = metadata as { raw?: unknown };
  if (typeof raw !== 'string') return detailOf(raw, depth + 1);
  const json = parse(raw);
  return json === undefined ? raw.trim() : detailOf(json, depth + 1) || raw.trim();
}

function htmlText(html: string): string {
  const title = /<title[^>]*>([^<]*)</i.exec(html.slice(0, 20_000))?.[1]?.trim();
  if (title) return title;
  const start = html.slice(0, 20_000).replace(/<(script|style)\b[^]*?(?:<\/\1>|$)/gi, ' ');
  return start
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // An error body may be anything: then it is shown as the text that it is.
    return undefined;
  }
}

function compact(value: unknown): string {
  try {
    return value === undefined || value === null ? '' : JSON.stringify(value);
  } catch {
    // Circular: an error of ours would have had a message.
    return '';
  }
}

function shorten(text: string): string {
  return wellFormed(text.length > MAX_DETAIL ? `${text.slice(0, MAX_DETAIL)}…` : text);
}
