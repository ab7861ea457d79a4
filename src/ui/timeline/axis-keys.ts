/**
 * The axis' keys while it has the focus. By the place of the key, so that keyboard layouts do not matter; plus and minus
 * by what is written on it.
 */
import type { Selection } from '../view.svelte';
import type { Hit } from './hit';
import { barOfSelection } from './selection';
import type { TimeAxis } from './time-axis.svelte';
import { turnFrom, walkTo, type Walk } from './walk';

export interface KeyActions {
  selection: () => Selection | undefined;
  cursor: () => number | undefined;
  select: (hit: Hit | undefined) => void;
  /** Absent where there is no time travel, or nothing to play: then their keys are left alone. */
  readonly seek: ((seq: number) => void) | undefined;
  readonly play: (() => void) | undefined;
}

const ZOOM = 0.8;
const PAN = 0.1;
/** By which the lanes are scrolled, in pixels. */
const PAGE = 60;
const ZOOMS: Record<string, number> = { '+': ZOOM, '=': ZOOM, '-': 1 / ZOOM, '−': 1 / ZOOM };
const WALKS: Record<string, Walk> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  BracketLeft: 'previous',
  BracketRight: 'next',
};

const SIGHT = new Set(['KeyW', 'KeyS', 'KeyA', 'KeyD', 'KeyF', 'Enter', 'Home', 'End']);

/** Whether the key brings other times into sight: a canvas cannot say which, so that words must. */
export function changesSight({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): boolean {
  return key in ZOOMS || SIGHT.has(code);
}

/** Listener for `keydown`. What it does not know it leaves alone. */
export function axisKeys(axis: TimeAxis, actions: KeyActions): (event: KeyboardEvent) => void {
  const plain: Record<string, () => void> = {
    KeyW: () => axis.zoom(ZOOM),
    KeyS: () => axis.zoom(1 / ZOOM),
    KeyA: () => axis.pan(-PAN * widthOf(axis)),
    KeyD: () => axis.pan(PAN * widthOf(axis)),
    KeyF: () => axis.fit(actions.selection()),
    Enter: () => axis.fit(actions.selection()),
    Escape: () => actions.select(undefined),
    Home: () => showEnd(axis, 'from'),
    End: () => showEnd(axis, 'to'),
    PageUp: () => axis.scroll(-PAGE),
    PageDown: () => axis.scroll(PAGE),
  };
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { code, shiftKey } = event;
    const zoom = ZOOMS[event.key];
    const walk = WALKS[code];
    const direction = { ArrowLeft: -1, ArrowRight: 1 }[code] as -1 | 1 | undefined;
    // The page goes back to live with this key, too.
    if (code === 'KeyL' && !shiftKey) return axis.followLive();
    if (zoom !== undefined) axis.zoom(zoom);
    else if (direction && actions.seek) actions.seek(seekFrom(axis, actions, direction, shiftKey));
    else if (code === 'Space' && actions.play) actions.play();
    else if (walk) walkFrom(axis, actions, walk);
    else if (plain[code] && !shiftKey) plain[code]();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function widthOf({ scene }: TimeAxis): number {
  return scene?.view.width ?? 0;
}

/** The same length of time, at the start of everything or at its end. */
function showEnd(axis: TimeAxis, end: 'from' | 'to'): void {
  if (!axis.scene) return;
  const { view, whole } = axis.scene;
  const span = view.to - view.from;
  const from = end === 'from' ? whole.from : whole.to - span;
  axis.showPlaces({ from, to: from + span });
}

/** The record to go to. */
function seekFrom({ lanes }: TimeAxis, { cursor }: KeyActions, direction: -1 | 1, byTurn: boolean): number {
  const last = lanes?.end.seq ?? 1;
  const seq = cursor() ?? last;
  const to = lanes && byTurn ? turnFrom(lanes, seq, direction) : seq + direction;
  return Math.min(Math.max(1, to), last);
}

function walkFrom({ lanes }: TimeAxis, { selection, cursor, select }: KeyActions, walk: Walk): void {
  if (!lanes) return;
  const selected = selection();
  const from = selected && barOfSelection(lanes, selected);
  const to = walkTo(lanes, from, walk, cursor() ?? lanes.end.seq);
  if (to) select({ row: to.row, first: to.index, last: to.index });
}
