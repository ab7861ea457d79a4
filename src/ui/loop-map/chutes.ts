/** The chutes that hang at their polls, and where the cards lie in them. */
import type { LoopCard, LoopPlace } from '../../trace/loop-place';
import type { Box } from './fitting';
import { stationPoint } from './geometry';
import type { Geometry, Point } from './geometry';

export type QueueName = keyof LoopPlace['queues'];
/** The class of a queue's colours. */
export type QueueLook = 'steering' | 'follow-up';

const card = { height: 23, gap: 2, width: 132 };
const left = 433;
const shown = 3;

export interface Chute {
  /** Lower corner of the place of the lowest card, on the left. */
  bottom: number;
  x: number;
  top: number;
  poll: Point;
  rails: [string, string];
}

export function chute(map: Geometry, queue: QueueName): Chute {
  const poll = stationPoint(map, queue === 'steering' ? 'pollSteering' : 'pollFollowUp');
  const right = left + card.width + 10;
  const top = poll.y - 9 - shown * (card.height + card.gap) - (queue === 'steering' ? 20 : 2);
  const rail = (x: number, y: number, r: number) =>
    `M${x} ${top} V${y - r} Q${x} ${y} ${x - r} ${y} H${poll.x + 13}`;
  return {
    x: left + 5,
    bottom: poll.y - 8,
    top,
    poll,
    rails: [rail(right, poll.y + 5, 13), rail(left, poll.y - 5, 9)],
  };
}

/** Where the chutes and their cards are drawn. */
export function chuteBoxes(map: Geometry): Box[] {
  return (['steering', 'followUp'] as const).map((queue) => {
    const { top, poll } = chute(map, queue);
    return { left, top, right: left + card.width + 10, bottom: poll.y + 6 };
  });
}

export interface PlacedCard extends LoopCard, Point {
  width: number;
  height: number;
}

/** The cards of a chute, the next one lowest; of more than three, two and how many more there are. */
export function placedCards(
  at: Chute,
  cards: LoopCard[],
): { cards: PlacedCard[]; more: number; moreAt: Point } {
  const count = cards.length > shown ? shown - 1 : cards.length;
  const y = (index: number) => at.bottom - (index + 1) * (card.height + card.gap);
  return {
    cards: cards
      .slice(0, count)
      .map((each, index) => ({ ...each, x: at.x, y: y(index), width: card.width, height: card.height })),
    more: cards.length - count,
    moreAt: { x: at.x, y: y(count) },
  };
}

export const cardSize = card;

/** px: for what a poll found, between its name and the cards beside it. */
const foundWidth = 66;
const besideCard = { least: 96, most: 170 };

/** Of a map without chutes, where cards stand beside the names of their polls, in px; `undefined` without the room. */
export function cardsBeside(width: number, namesEnd: number): { x: number; width: number } | undefined {
  const x = namesEnd + foundWidth;
  const room = Math.min(besideCard.most, width - x - 4);
  return room < besideCard.least ? undefined : { x, width: room };
}
