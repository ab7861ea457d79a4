/** A call in one line: what it is about, and what came of it. */
import { m } from '../../i18n';
import { bytes, duration, number } from './format';
import { visiblePath } from './visible-name';

const telling = ['path', 'command', 'url', 'query', 'pattern', 'name', 'text'];
const longest = 100;

/** The argument that says most, and what is short of the others. */
export function callArgument(args: unknown): string {
  if (typeof args !== 'object' || args === null) return '';
  const entries = Object.entries(args as Record<string, unknown>).filter(
    (entry): entry is [string, string | number | boolean] =>
      typeof entry[1] !== 'object' && entry[1] !== undefined,
  );
  const first =
    telling.map((name) => entries.find(([key]) => key === name)).find((entry) => entry !== undefined) ??
    entries[0];
  if (!first) return '';
  const others = entries.filter((entry) => entry !== first && !String(entry[1]).includes('\n'));
  const rest = others.map(([key, value]) => `${key} ${value}`).join(', ');
  const line = firstLine(String(first[1]));
  return rest === '' || line.length + rest.length > longest ? line : `${line} · ${rest}`;
}

/** What is known of a result. */
export interface CallOutcome {
  /** Its first and last line. */
  text: string;
  last: string;
  lines: number;
  images: number;
}

export interface CallTitle {
  argument: string;
  /** What came out, in a few words; empty when there is nothing to say. */
  note: string;
  /** The note where there is little room: its numbers whole, without its words. */
  short?: string;
  /** Lines of a change. */
  added?: number;
  removed?: number;
  /** The note is what the tool says, which is not translated. */
  isRaw: boolean;
  /** The note tells what went wrong. */
  isBad: boolean;
}

interface Call {
  tool: string;
  args: unknown;
  status: 'running' | 'ok' | 'done' | 'error' | 'aborted' | 'interrupted';
  /** So far, while it runs. */
  outcome?: CallOutcome | undefined;
  /** Of the result. */
  details?: unknown;
}

/** The built-in tools by what their details say; other tools by their arguments and the lines of their results. */
export function callTitle(call: Call): CallTitle {
  const { tool, args, status, outcome } = call;
  const details = fieldsOf(call.details);
  const argument = own(argumentOf, tool)?.(fieldsOf(args)) || callArgument(args);
  const isBad = status === 'error';
  if (status === 'running') return { argument, note: outcome?.last ?? '', isRaw: true, isBad };
  const known = own(noteOf, tool)?.(details) ?? silentNote(details, outcome);
  if (known) return { argument, note: '', isRaw: false, isBad, ...known };
  return { argument, ...plainNote(outcome, isBad), isBad };
}

type Fields = Readonly<Record<string, unknown>>;
type Note = Partial<Pick<CallTitle, 'note' | 'short' | 'added' | 'removed' | 'isBad'>>;

/** Tools may be called anything. */
function own<T>(table: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textIn(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' ? value : '';
}

function numberIn(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === 'number' ? value : undefined;
}

const pathArgument = (args: Fields) => visiblePath(firstLine(textIn(args, 'path')));

const argumentOf: Record<string, (args: Fields) => string> = {
  read: pathArgument,
  write: pathArgument,
  edit: pathArgument,
  ls: pathArgument,
  bash: (args) => firstLine(textIn(args, 'command')),
  grep: (args) => withPlace(`"${firstLine(textIn(args, 'pattern'))}"`, args),
  find: (args) => withPlace(firstLine(textIn(args, 'pattern')), args),
  fetch: (args) => shortUrl(textIn(args, 'url')),
  js: (args) => firstLine(textIn(args, 'code').trimStart()),
  ask: (args) => firstLine(textIn(args, 'question')),
  finish: (args) => firstLine(textIn(args, 'summary')),
};

function withPlace(what: string, args: Fields): string {
  if (what.replaceAll('"', '') === '') return '';
  const path = pathArgument(args);
  return path === '' || path === '.' ? what : `${what} · ${path}`;
}

const noteOf: Record<string, (details: Fields) => Note | undefined> = {
  read: readNote,
  write: writeNote,
  edit: changeNote,
  bash: bashNote,
  grep: (details) => counted(numberIn(details, 'matches'), m.call_matches),
  find: (details) => counted(numberIn(details, 'count'), m.call_found),
  ls: (details) => counted(numberIn(details, 'count'), m.call_entries),
  fetch: fetchNote,
  js: jsNote,
  wait: (details) => {
    const ms = numberIn(details, 'ms');
    return ms === undefined ? undefined : { note: duration(ms) };
  },
};

function counted(
  count: number | undefined,
  message: (params: { count: number; shown: string }) => string,
): Note | undefined {
  return count === undefined ? undefined : { note: message({ count, shown: number(count) }) };
}

function readNote(details: Fields): Note | undefined {
  const [from, to, total] = [
    numberIn(details, 'from'),
    numberIn(details, 'to'),
    numberIn(details, 'totalLines'),
  ];
  if (from === undefined || to === undefined || total === undefined) {
    const size = numberIn(details, 'bytes');
    if (size === undefined) return undefined;
    const type = textIn(details, 'mimeType').replace('image/', '').toUpperCase();
    return {
      note: type === '' ? m.call_binary({ size: bytes(size) }) : m.call_image({ type, size: bytes(size) }),
    };
  }
  if (from <= 1 && to === total && details.truncated !== true) return counted(total, m.lines_count);
  // Numbers of lines are names more than amounts: they have no separators.
  return { note: m.call_lines_of({ from: String(from), to: String(to), total: String(total) }) };
}

function changeNote(details: Fields): Note | undefined {
  const [added, removed] = [numberIn(details, 'added'), numberIn(details, 'removed')];
  return added === undefined || removed === undefined ? undefined : { added, removed };
}

function writeNote(details: Fields): Note | undefined {
  const size = numberIn(details, 'bytes');
  if (size === undefined) return undefined;
  if (details.created === true) return { note: m.call_created({ size: bytes(size) }) };
  return changeNote(details) ?? { note: bytes(size) };
}

function bashNote(details: Fields): Note | undefined {
  const code = numberIn(details, 'exitCode');
  if (code !== undefined && code !== 0) return { note: m.call_exit({ code: String(code) }) };
  return stoppedNote(details) ?? lastLinesNote(details);
}

/** Of an output that was too long to be shown whole. */
function lastLinesNote(details: Fields): Note | undefined {
  const lines = fieldsOf(details.lines);
  const [shown, total] = [numberIn(lines, 'shown'), numberIn(lines, 'total')];
  if (shown === undefined || total === undefined) return undefined;
  const part = { shown: number(shown), total: number(total) };
  return { note: m.call_last_lines(part), short: m.call_part_of(part) };
}

function jsNote(details: Fields): Note | undefined {
  const stopped = stoppedNote(details);
  const calls = numberIn(details, 'calls') ?? 0;
  if (stopped || details.failed === true) return stopped;
  if (calls === 0) return lastLinesNote(details);
  return counted(calls, m.call_calls);
}

function stoppedNote(details: Fields): Note | undefined {
  switch (details.stopped) {
    case 'time':
      return { note: m.call_stopped_time() };
    case 'output':
      return { note: m.call_stopped_output() };
    case 'memory':
      return { note: m.call_stopped_memory() };
    case 'aborted':
      return { note: m.status_aborted(), isBad: false };
    default:
      return undefined;
  }
}

function fetchNote(details: Fields): Note | undefined {
  const status = numberIn(details, 'status');
  return status === undefined ? undefined : { note: String(status), isBad: status >= 400 };
}

/** A command that said nothing says that it passed. */
function silentNote(details: Fields, outcome: CallOutcome | undefined): Note | undefined {
  const isSilent = details.exitCode === 0 && outcome?.text === '[No output]';
  return isSilent ? { note: m.call_exit({ code: '0' }) } : undefined;
}

/** What an error says behind its first words, when those only announce it. */
function failure({ text, last }: CallOutcome): string {
  if (text.endsWith(':') && last !== '') return last;
  return text.replace(/^(?:Uncaught )?Error: (?=.)/, '');
}

/** What an error says; one short line as it is; else how many lines. */
function plainNote(outcome: CallOutcome | undefined, isBad: boolean): Pick<CallTitle, 'note' | 'isRaw'> {
  if (!outcome) return { note: '', isRaw: false };
  const { text, lines, images } = outcome;
  if (isBad) return { note: failure(outcome), isRaw: true };
  if (lines <= 1 && text.length <= 60 && images === 0) return { note: text, isRaw: true };
  return { note: m.lines_count({ count: lines, shown: number(lines) }), isRaw: false };
}

/** All of it as one text: what a row that is too narrow cannot show. `ms`: how long it took. */
export function callWords(tool: string, title: CallTitle, ms?: number): string {
  const { argument, note, added, removed } = title;
  const change = added === undefined || removed === undefined ? '' : `+${number(added)} −${number(removed)}`;
  const took = ms === undefined ? '' : duration(ms);
  return [`${tool} ${argument}`.trim(), change, note, took].filter((part) => part !== '').join(' · ');
}

/** The host and the path; of an address of the page's own, the path. */
function shortUrl(text: string): string {
  try {
    const { host, pathname, search } = new URL(text);
    return firstLine(`${host}${pathname === '/' ? '' : pathname}${search}`);
  } catch {
    return firstLine(text);
  }
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
