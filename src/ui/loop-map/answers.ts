/** What stands on the map besides the names of its stations: the answers, the dials, and what a small poll found. */
import { m } from '../../i18n';
import type { LoopPlace } from '../../trace/loop-place';
import { onCircle, stationPoint } from './geometry';
import type { Geometry, Point } from './geometry';
import { foundText } from './texts';

export interface OtherWords extends Point {
  id: string;
  text: string;
  size: number;
  anchor: 'start' | 'middle';
  look: 'answer' | 'answer given' | 'dial-name' | 'steering';
  /** Which are left out first where there is no room for all: those with the highest numbers. */
  rank: number;
}

/** Font sizes of the plain labels and of the small ones, in units of the map. */
export interface LetterSizes {
  size: number;
  small: number;
}

export function otherWords(map: Geometry, place: LoopPlace, { size, small }: LetterSizes): OtherWords[] {
  const wide = map.kind === 'wide';
  const outer = stationPoint(map, 'outerGoOn');
  const { inside, outside } = answersGiven(place);
  const yes = onCircle(map.inner, 155, wide ? 24 : 20);
  const no = onCircle(map.outer, wide ? 76 : 69, 14);
  const again = onCircle(map.outer, 152, 13);
  const answer = (id: string, text: string, at: Point, isGiven: boolean): OtherWords => ({
    id,
    text,
    ...at,
    size,
    anchor: 'start',
    look: isGiven ? 'answer given' : 'answer',
    rank: isGiven ? 4 : 5,
  });
  const dial = (id: string, text: string, { x, y }: Point): OtherWords => {
    return { id, text, x, y, size: small, anchor: 'middle', look: 'dial-name', rank: 6 };
  };
  const found = smallPoll(map, place, small);
  return [
    { ...answer('yes', m.loop_yes(), { x: yes.x, y: yes.y + 6 }, inside === true), anchor: 'middle' },
    answer('no', m.loop_no(), { x: no.x, y: no.y + 5 }, inside === false),
    answer('stops', m.loop_no(), { x: outer.x + 32, y: outer.y - 10 }, outside === false),
    answer('again', m.loop_yes(), { x: again.x, y: again.y + 9 }, outside === true),
    dial('turn', m.loop_turn(), { x: map.inner.x, y: map.inner.y - 44 }),
    dial('pass', m.loop_pass(), { x: map.outer.x, y: map.outer.y + 54 }),
    ...(found ? [found] : []),
  ];
}

/** The answers that were given in this turn, or on the way to it. */
function answersGiven({ visits, travelled }: LoopPlace): Record<'inside' | 'outside', boolean | undefined> {
  return {
    inside: visits.get('innerGoOn')?.decide?.go ?? (travelled.includes('yes') || undefined),
    outside: visits.get('outerGoOn')?.decide?.go ?? (travelled.includes('return') || undefined),
  };
}

/** Small polls have no name on the map: what they found is said only while the token is there. */
function smallPoll(map: Geometry, { station, visits }: LoopPlace, small: number): OtherWords | undefined {
  const poll = station && visits.get(station)?.poll;
  const at = poll && smallPollPlace(map, station);
  if (!poll || !at) return undefined;
  const text = foundText(poll.count);
  return { id: 'found', text, ...at, size: small, anchor: 'middle', look: 'steering', rank: 1 };
}

function smallPollPlace(map: Geometry, station: LoopPlace['station']): Point | undefined {
  if (station === 'pollStart') {
    const { x, y } = stationPoint(map, station);
    return { x, y: y + (map.kind === 'wide' ? 53 : 56) };
  }
  if (station === 'pollPrepare') return onCircle(map.inner, 213, -34);
  return station === 'pollNextPass' ? onCircle(map.outer, 196, -40) : undefined;
}

/** The numbers on the two dials; a dash where there was no turn yet. */
export function dialNumbers(map: Geometry, { turn, pass }: Pick<LoopPlace, 'turn' | 'pass'>) {
  const { inner, outer, kind } = map;
  const size = kind === 'wide' ? 76 : 64;
  return [
    { text: `${turn || '–'}`, look: 'dial', size, x: inner.x, y: inner.y + 28 },
    { text: `${pass || '–'}`, look: 'pass', size: 32, x: outer.x, y: outer.y + 88 },
  ];
}
