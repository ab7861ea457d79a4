/** The axis' keys while it has the focus. By the place of the key, so that keyboard layouts do not matter. */
import type { Selection } from '../view.svelte';
import type { Hit } from './hit';
import { barOfSelection } from './selection';
import type { TimeAxis } from './time-axis.svelte';
import { turnFrom, walkTo, type Walk } from './walk';

export interface KeyActions {
  selection: () => Selection | undefined;
  cursor: () => number | undefined;
  select: (hit: Hit | undefined) => void;
  seek: (seq: number) => void;
  play: () => void;
}

const ZOOM = 0.8;
const PAN = 0.1;
const WALKS: Record<string, Walk> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  BracketLeft: 'previous',
  BracketRight: 'next',
};

/** Listener for `keydown`. What it does not know it leaves alone. */
export function axisKeys(axis: TimeAxis, actions: KeyActions): (event: KeyboardEvent) => void {
  const plain: Record<string, () => void> = {
    KeyW: () => axis.zoom(ZOOM),
    KeyS: () => axis.zoom(1 / ZOOM),
    KeyA: () => axis.pan(-PAN * widthOf(axis)),
    KeyD: () => axis.pan(PAN * widthOf(axis)),
    KeyF: () => axis.fit(actions.selection()),
    KeyL: () => axis.followLive(),
    Space: actions.play,
    Enter: () => axis.fit(actions.selection()),
    Escape: () => actions.select(undefined),
  };
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { code, shiftKey } = event;
    const walk = WALKS[code];
    if (code === 'ArrowLeft' || code === 'ArrowRight')
      seekFrom(axis, actions, code === 'ArrowLeft' ? -1 : 1, shiftKey);
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

function seekFrom(
  { lanes }: TimeAxis,
  { cursor, seek }: KeyActions,
  direction: -1 | 1,
  byTurn: boolean,
): void {
  if (!lanes) return;
  const seq = cursor() ?? lanes.end.seq;
  const to = byTurn ? turnFrom(lanes, seq, direction) : seq + direction;
  if (to >= 1 && to <= lanes.end.seq && to !== seq) seek(to);
}

function walkFrom({ lanes }: TimeAxis, { selection, cursor, select }: KeyActions, walk: Walk): void {
  if (!lanes) return;
  const selected = selection();
  const from = selected && barOfSelection(lanes, selected);
  const to = walkTo(lanes, from, walk, cursor() ?? lanes.end.seq);
  if (to) select({ row: to.row, first: to.index, last: to.index });
}
