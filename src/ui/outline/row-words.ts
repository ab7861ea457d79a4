/** What the outline needs to know of its rows: how high they are, what they select, and how their text begins. */
import { m } from '../../i18n';
import type { OutlineRows, Row, RowHead } from '../../trace';
import { number } from '../lib/format';
import type { Selection } from '../view.svelte';
import { failureText, filesText, noteText } from './note-text';

/** px. `roomy`: for a thumb. */
export function rowHeight({ kind, injected }: RowHead, roomy: boolean): number {
  // A second line says where it came from.
  if (roomy) return injected ? 56 : 44;
  if (injected) return 42;
  return kind === 'run' || kind === 'turn' ? 29 : 25;
}

/** Rows of one shape have the same parts: only what they say is another. */
export function rowShape(row: Row): string {
  const parts = [row.kind, row.depth, row.expandable, row.injected, 'status' in row ? row.status : ''];
  if (row.kind === 'message') parts.push(row.role);
  if (row.kind === 'block') parts.push(row.block);
  if (row.kind === 'note') parts.push(row.noteKind);
  return parts.join(' ');
}

export function selectionOf(row: Row): Selection {
  if (row.kind === 'run') return { kind: 'run', id: row.run };
  if (row.kind === 'turn') return { kind: 'turn', id: row.turn };
  if (row.kind === 'call') return { kind: 'call', id: row.call };
  if (row.kind === 'note' || row.kind === 'files') return { kind: 'note', seq: row.seq };
  return { kind: 'message', id: row.message };
}

/** The index of the next row from `from` on, round at the end, whose text begins so; -1 when none does. */
export function rowThatBegins(rows: OutlineRows, from: number, typed: string): number {
  const begin = typed.toLowerCase();
  for (let step = 0; step < rows.length; step++) {
    const index = (from + step) % rows.length;
    const row = rows.row(index);
    if (row && wordsOf(row).toLowerCase().startsWith(begin)) return index;
  }
  return -1;
}

/** What the row shows first. */
function wordsOf(row: Row): string {
  switch (row.kind) {
    case 'run':
      return m.run_n({ n: row.n });
    case 'turn':
      return m.turn_n({ n: row.n });
    case 'call':
      return `${row.tool} ${row.args}`;
    case 'message':
      return messageWords(row);
    case 'block':
      return row.block === 'toolCall' ? `${row.tool} ${row.text}` : row.text;
    case 'deltas':
      return m.deltas_count({ count: row.deltas, shown: number(row.deltas) });
    case 'delta':
      return JSON.stringify(row.text);
    case 'files':
      return filesText(row);
    case 'note': {
      const { title, detail } = noteText(row);
      return `${title} ${detail}`;
    }
  }
}

function messageWords(row: Extract<Row, { kind: 'message' }>): string {
  if (row.status === 'error') return failureText(row) || emptyText(row);
  return row.text || emptyText(row);
}

/** Instead of a message's text, while and when it has none. */
export function emptyText(row: Extract<Row, { kind: 'message' }>): string {
  const { tools } = row;
  const writing = tools.at(-1);
  if (row.status === 'running')
    return writing === undefined ? m.waiting_first_token() : m.call_writing_of({ tool: writing });
  if (row.role === 'system')
    return tools.length > 0 ? m.system_tools({ names: tools.join(', ') }) : m.system_message();
  if (tools.length > 0) return m.calls_tools({ count: tools.length });
  return row.errorMessage ? '' : m.no_text();
}

/** The keys of the folded rows beside the row with this index, itself included. */
export function foldedBeside(rows: OutlineRows, index: number): string[] {
  const parent = rows.row(index)?.parent;
  const keys: string[] = [];
  for (let at = 0; at < rows.length; at++) {
    const row = rows.row(at);
    if (row?.parent === parent && row?.expandable && !row.expanded) keys.push(row.key);
  }
  return keys;
}

/** The last thing that goes on; when nothing does, the last thing that was. */
export function currentRow(rows: OutlineRows): string | undefined {
  for (let index = rows.length - 1; index >= 0 && index > rows.length - 60; index--) {
    const row = rows.row(index);
    if ((row?.kind === 'message' || row?.kind === 'call') && row.status === 'running') return row.key;
  }
  return rows.row(rows.length - 1)?.key;
}
