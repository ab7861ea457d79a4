/** What a station of the map shows of the trace, for the other panels. */
import type { LoopPlace } from '../../trace/loop-place';
import type { Station } from '../../trace/loop-stations';
import type { Trace } from '../../trace/types';
import type { Selection } from '../view.svelte';

/** What to select at a station: the last thing that happened there in this turn; `undefined` before. */
export function selectionAt(trace: Trace, place: LoopPlace, station: Station): Selection | undefined {
  const mark = place.visits.get(station);
  const run = trace.runs.at(-1);
  if (station === 'stop' || (station === 'start' && mark)) return run && { kind: 'run', id: run.id };
  const { message } = place.stream ?? {};
  if (station === 'stream' && message !== undefined) return { kind: 'message', id: message };
  const call = station === 'tools' ? place.batch?.calls.find(({ id }) => id !== undefined)?.id : undefined;
  if (call !== undefined) return { kind: 'call', id: call };
  if (!mark) return undefined;
  if (mark.note) return { kind: 'note', seq: mark.seq };
  if (mark.turn !== undefined) return { kind: 'turn', id: mark.turn };
  return mark.message === undefined ? undefined : { kind: 'message', id: mark.message };
}

/** The station where the selected thing happened in this turn. */
export function stationOfSelection(
  trace: Trace,
  place: LoopPlace,
  selection: Selection | undefined,
): Station | undefined {
  switch (selection?.kind) {
    case 'call':
      return place.batch?.calls.some(({ id }) => id === selection.id) ? 'tools' : undefined;
    case 'message':
      if (place.stream?.message === selection.id) return 'stream';
      return messageStation(trace, place, selection.id);
    case 'note':
      return place.marks.find(({ seq, note }) => note && seq === selection.seq)?.station;
    default:
      return undefined;
  }
}

function messageStation(trace: Trace, place: LoopPlace, id: string): Station | undefined {
  const message = trace.messages.get(id);
  if (message?.turn === undefined || message.turn !== place.turnId) return undefined;
  if (message.role === 'toolResult') return 'tools';
  return message.origin === 'prompt' ? 'start' : 'inject';
}
