/** The map in words: names of stations, what happened there, and the sentence that says the whole. */
import { getLocale, m } from '../../i18n';
import type { LoopBatch, LoopCall } from '../../trace/loop-batch';
import type { LoopCut, LoopPlace } from '../../trace/loop-place';
import type { Station } from '../../trace/loop-stations';

const names: Record<Station, () => string> = {
  start: m.loop_station_start,
  pollStart: m.loop_station_poll_start,
  turnStart: m.loop_station_turn_start,
  inject: m.loop_station_inject,
  prepareRequest: m.loop_station_prepare_request,
  stream: m.loop_station_stream,
  tools: m.loop_station_tools,
  finishTurn: m.loop_station_finish_turn,
  pollSteering: m.loop_station_poll_steering,
  innerGoOn: m.loop_station_inner_go_on,
  prepareNextTurn: m.loop_station_prepare_next_turn,
  pollPrepare: m.loop_station_poll_prepare,
  pollFollowUp: m.loop_station_poll_follow_up,
  outerGoOn: m.loop_station_outer_go_on,
  prepareNextPass: m.loop_station_prepare_next_pass,
  pollNextPass: m.loop_station_poll_next_pass,
  stop: m.loop_station_stop,
};

/** The stations in the order of the loop. */
export const stationOrder = Object.keys(names) as Station[];

export function stationName(station: Station): string {
  return stationLines(station).join(' ');
}

/** The name as it stands on the map: in one line or two. */
export function stationLines(station: Station): string[] {
  return names[station]().split('\n');
}

const cuts: Record<LoopCut['how'], () => string> = {
  error: m.loop_cut_error,
  aborted: m.loop_cut_aborted,
  interrupted: m.loop_cut_interrupted,
  ended: m.loop_cut_ended,
};

export function cutText(how: LoopCut['how']): string {
  return cuts[how]();
}

/** What happened at a station in this turn; empty when nothing is to be said. */
export function stationDetail(place: LoopPlace, station: Station): string {
  if (place.cut?.station === station) return cutText(place.cut.how);
  const mark = place.visits.get(station);
  if (mark?.poll) return foundText(mark.poll.count);
  if (mark?.inject) return m.loop_injected({ count: mark.inject.count });
  if (station === 'tools' && place.batch) return batchText(place.batch);
  if (station !== 'stream' || !place.stream) return '';
  const { state, deltas, isCutOff } = place.stream;
  if (isCutOff) return m.loop_stream_cut_off();
  return state === 'waiting' ? m.loop_stream_waiting() : m.loop_stream_deltas({ count: deltas });
}

export function foundText(count: number): string {
  return count === 0 ? m.loop_found_nothing() : m.loop_found({ count });
}

/** What the model does, in as few words as there is room for on the map. */
export function streamText({ stream }: LoopPlace): string {
  if (!stream || stream.state === 'waiting') return m.loop_stream_asked();
  return stream.deltas === 0 ? '' : m.loop_stream_deltas({ count: stream.deltas });
}

/** "edit and read, in parallel"; long lists of tools are cut. Without `roomy`, several are only counted. */
export function batchText({ mode, calls }: LoopBatch, roomy = true): string {
  const names = calls.map(({ tool }) => tool);
  const tools = roomy || calls.length < 2 ? toolNames(names) : m.loop_calls({ count: calls.length });
  if (mode === 'refused') return m.loop_tools_refused({ tools });
  if (calls.length < 2) return tools;
  return mode === 'parallel' ? m.loop_tools_parallel({ tools }) : m.loop_tools_sequential({ tools });
}

const lists = new Map<string, Intl.ListFormat>();
const namesLength = 24;

function toolNames(tools: string[]): string {
  const different = [...new Set(tools)];
  if (different.length < tools.length || different.join(', ').length > namesLength)
    return different.length === 1 && tools.length > 1 && different.join('').length < 16
      ? `${tools.length} × ${different.join('')}`
      : tools.length === 1
        ? (tools[0] ?? '').slice(0, namesLength)
        : m.loop_calls({ count: tools.length });
  const locale = getLocale();
  let list = lists.get(locale);
  if (!list) lists.set(locale, (list = new Intl.ListFormat(locale, { type: 'conjunction' })));
  return list.format(different);
}

const phases: Record<LoopCall['phase'], (named: { tool: string }) => string> = {
  waiting: m.loop_call_waiting,
  asking: m.loop_call_asking,
  running: m.loop_call_running,
  done: m.loop_call_done,
};

export function callText({ tool, phase, isError }: LoopCall): string {
  return phase === 'done' && isError ? m.loop_call_failed({ tool }) : phases[phase]({ tool });
}

/** The whole map in a few sentences: its accessible name. */
export function mapText(place: LoopPlace, past: boolean): string {
  const { state, station, turn, pass, cut, paused } = place;
  if (state === 'empty' || !station) return m.loop_name_empty();
  const isOver = state !== 'running' && state !== 'settling';
  const named = { turn, pass, station: stationName(station) };
  const start = past ? m.loop_name_past(named) : isOver ? m.loop_name_ended(named) : m.loop_name(named);
  const says = [start, endText(place), decisionText(place)];
  if (place.stream?.isCutOff) says.push(m.why_cut_off());
  if (place.carried && !isOver) says.push(m.loop_carries({ count: place.carried.count }));
  if (paused && !cut && !past) says.push(m.loop_says_paused());
  return says.filter((text) => text !== '').join(' ');
}

/** Where the loop is held, and what it found or decided there. */
export function heldText(place: LoopPlace): string {
  const { station, turn, batch } = place;
  if (!station) return '';
  // Between two runs of a scenario.
  if (place.state !== 'running') return endText(place);
  const calls = station === 'tools' ? batch?.calls.map(callText).join(', ') : undefined;
  const detail = calls ?? stationDetail(place, station);
  const named = { turn, station: stationName(station) };
  const held = detail === '' ? m.loop_held(named) : m.loop_held_detail({ ...named, detail });
  return [held, decisionText(place)].filter((text) => text !== '').join(' ');
}

function endText({ state, cut }: LoopPlace): string {
  if (state === 'settling') return m.loop_says_settling();
  if (!cut) return state === 'done' ? m.loop_says_done() : '';
  const station = stationName(cut.station);
  switch (cut.how) {
    case 'error':
      return m.loop_says_error({ station });
    case 'aborted':
      return m.loop_says_aborted({ station });
    case 'interrupted':
      return m.loop_says_interrupted({ station });
    case 'ended':
      return m.loop_says_ended();
  }
}

function decisionText({ state, station, ahead }: LoopPlace): string {
  if (state !== 'running') return '';
  if (station === 'innerGoOn') return ahead[0] === 'yes' ? m.loop_says_go_on() : m.loop_says_leave();
  if (station === 'outerGoOn') return ahead[0] === 'return' ? m.loop_says_next_pass() : m.loop_says_stop();
  return '';
}
