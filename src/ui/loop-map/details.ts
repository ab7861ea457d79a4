/** What the map says beside the name of a station: what happened there in this turn, in a few words. */
import { m } from '../../i18n';
import type { LoopPlace } from '../../trace/loop-place';
import type { Station } from '../../trace/loop-stations';
import type { QueueName } from './chutes';
import type { Label } from './labels';
import { batchText, cutText, stationDetail, streamText } from './texts';

export interface DetailContext {
  place: LoopPlace;
  past: boolean;
  /** What is queued is drawn as cards: in chutes, or beside the names. */
  cards: 'chutes' | 'beside' | 'none';
  /** There is room for the names of several tools. */
  roomy: boolean;
}

/** Empty where nothing is to be said. */
export function detailOf({ station, detail }: Label, context: DetailContext): string {
  const { place, roomy } = context;
  if (isCutAt(place, station)) return cutText(place.cut?.how ?? 'ended');
  if (detail === 'none') return '';
  if (station === 'stream') return streamDetail(context);
  if (station === 'inject')
    return place.visits.get(station)?.inject?.count ? stationDetail(place, station) : '';
  const queue = station === 'pollSteering' ? 'steering' : station === 'pollFollowUp' ? 'followUp' : undefined;
  if (queue) return queueDetail(queue, station, context);
  return station === 'tools' && place.batch ? batchText(place.batch, roomy) : '';
}

function streamDetail(context: DetailContext): string {
  const { stream, station } = context.place;
  if (stream?.isCutOff) return m.loop_stream_cut_off();
  return isLive(context) && station === 'stream' ? streamText(context.place) : '';
}

function isLive({ place, past }: DetailContext): boolean {
  return !past && (place.state === 'running' || place.state === 'settling');
}

function queueDetail(queue: QueueName, station: Station, { place, cards }: DetailContext): string {
  const found = stationDetail(place, station);
  const waiting = place.queues[queue];
  const count = waiting.length;
  if (count === 0) return found;
  const stranded = waiting.filter((card) => card.stranded).length;
  // Its cards are dashed then, where they are drawn.
  if (stranded > 0) return cards !== 'none' ? '' : m.loop_stranded({ count: stranded });
  if (cards !== 'none') return found;
  return [found, m.loop_wait({ count })].filter((text) => text !== '').join(', ');
}

export function isCutAt({ cut }: LoopPlace, station: Station): boolean {
  return cut?.station === station;
}

/** What joins is told strongly; so is what a poll found just now, be it nothing, in the colour of its queue. */
export function tellsOfMessages(station: Station, { place }: DetailContext): boolean {
  if (station === 'inject') return true;
  const poll = place.visits.get(station);
  if (!poll?.poll || place.state !== 'running') return false;
  return poll.poll.count > 0 || poll.seq === place.seq;
}
