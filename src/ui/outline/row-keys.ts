/** The keys of the outline, as trees have them. */
import type { OutlineRows, Row } from '../../trace';
import { foldedBeside, rowThatBegins } from './row-words';

export interface RowActions {
  rows: OutlineRows;
  /** The index of the row where the keyboard is; -1 when it is nowhere yet. */
  active: number;
  go: (index: number) => void;
  select: (row: Row) => void;
  setExpanded: (keys: string[], expanded: boolean) => void;
}

/** Rows that a page of the outline has, about. */
const PAGE = 12;
/** ms between two letters that still are of one word. */
const WORD = 1000;

/** Returns a listener that keeps what was typed: it goes to the next row whose text begins so. */
export function rowKeys(): (event: KeyboardEvent, actions: RowActions) => void {
  let typed = '';
  let typedAt = 0;
  return (event, actions) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key.length > 1) typed = '';
    if (!moves(key, actions) && !folds(key, actions)) {
      if (key.length !== 1 || '?/'.includes(key)) return;
      const time = performance.now();
      typed = time - typedAt < WORD ? typed + key : key;
      typedAt = time;
      const { rows, active, go } = actions;
      // One letter again and again goes from row to row.
      go(rowThatBegins(rows, Math.max(0, typed.length > 1 ? active : active + 1), typed));
    }
    event.preventDefault();
    event.stopPropagation();
  };
}

function moves(key: string, { rows, active, go }: RowActions): boolean {
  const last = rows.length - 1;
  const step = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }[key];
  if (step !== undefined) go(active < 0 ? 0 : Math.max(0, Math.min(last, active + step)));
  else if (key === 'Home') go(0);
  else if (key === 'End') go(last);
  else return false;
  return true;
}

function folds(key: string, { rows, active, go, select, setExpanded }: RowActions): boolean {
  const row = rows.row(active);
  if (!row) return false;
  if (key === 'ArrowRight') {
    if (row.expandable && !row.expanded) setExpanded([row.key], true);
    else if (row.expanded) go(active + 1);
  } else if (key === 'ArrowLeft') {
    if (row.expanded) setExpanded([row.key], false);
    else if (row.parent !== undefined) go(rows.nearest(row.parent));
  } else if (key === '*') setExpanded(foldedBeside(rows, active), true);
  else if (key === 'Enter' || key === ' ') {
    if (row.expandable) setExpanded([row.key], !row.expanded);
    select(row);
  } else return false;
  return true;
}
