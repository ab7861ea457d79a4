/** What a station of the map, or a line of the code, shows of the trace, for the other panels. */
import type { Mark } from '../../trace/loop-marks';
import type { LoopPlace } from '../../trace/loop-place';
import type { LoopLine, Station } from '../../trace/loop-stations';
import type { Trace } from '../../trace/types';
import type { Selection } from '../view.svelte';

/** What to select at a station: the last thing that happened there in this turn; `undefined` where it has not been. */
export function selectionAt(trace: Trace, place: LoopPlace, station: Station): Selection | undefined {
  if (station === 'stop') return place.station === 'stop' ? runOf(trace, place) : undefined;
  const mark = place.visits.get(station);
  return mark && station === 'start' ? runOf(trace, place) : selectionOf(place, mark);
}

/** What to select at a line of the code. */
export function selectionAtLine(trace: Trace, place: LoopPlace, line: LoopLine): Selection | undefined {
  if (line === 'stop') return selectionAt(trace, place, 'stop');
  const mark = place.marks.findLast((mark) => mark.line === line);
  if (mark) return line === 'agentStart' ? runOf(trace, place) : selectionOf(place, mark);
  const station = place.values[line] === undefined ? undefined : judgedAt[line];
  return station && selectionAt(trace, place, station);
}

/** Lines where the loop did not stand, though they have a value: the step at another place made it. */
const judgedAt: Partial<Record<LoopLine, Station>> = {
  more: 'tools',
  broken: 'innerGoOn',
  again: 'outerGoOn',
};

function selectionOf(place: LoopPlace, mark: Mark | undefined): Selection | undefined {
  if (!mark) return undefined;
  const { station, note, seq, turn } = mark;
  const { message } = place.stream ?? {};
  if (station === 'stream' && message !== undefined) return { kind: 'message', id: message };
  const call = station === 'tools' ? place.batch?.calls.find(({ id }) => id !== undefined)?.id : undefined;
  if (call !== undefined) return { kind: 'call', id: call };
  if (note) return { kind: 'note', seq };
  if (turn !== undefined) return { kind: 'turn', id: turn };
  return mark.message === undefined ? undefined : { kind: 'message', id: mark.message };
}

function runOf({ runs }: Trace, { run }: LoopPlace): Selection | undefined {
  const id = runs[run - 1]?.id;
  return id === undefined ? undefined : { kind: 'run', id };
}
