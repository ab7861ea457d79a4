/** Where the loop stands, as the loop map draws it: a pure function of the trace, which may be that of any prefix. */
import type { QueueName } from '../loop/types';
import { contentText, firstLine } from './excerpts';
import { answerOf, loopBatch, type LoopBatch } from './loop-batch';
import { endsRun, loopWindow, type LoopWindow, type Mark } from './loop-marks';
import { isStranded, landings } from './landing';
import { deltasOf, loopCondition, loopValues, type LoopCondition, type LoopValues } from './loop-values';
import type { LoopLine, Station } from './loop-stations';
import type { MessageNode, RunNode, Trace } from './types';

/** A stretch of the two circles; `return` is the outer circle's way back to the start of the next pass. */
export type Leg = 'lead' | 'entry' | 'inner' | 'yes' | 'no' | 'return' | 'stop';

export interface LoopStream {
  state: 'waiting' | 'streaming' | 'done';
  /** Stream events so far. */
  deltas: number;
  /** From 0 to 1; below 1 while it streams, since its length is not known. */
  progress: number;
  message?: string;
  /** The answer came to the limit of its tokens. */
  isCutOff?: true;
}

export interface LoopCard {
  id: string;
  /** First line of the message. */
  text: string;
  /** It was queued just now. */
  isFresh: boolean;
  /** No poll of the run that goes on, or of the last one, takes it. */
  stranded: boolean;
}

/** A message of the context, by where it came from. */
export interface LoopMessage {
  id: string;
  kind: 'user' | 'assistant' | 'tool' | 'steering' | 'follow-up' | 'note';
}

/** Where a run was cut off, and by what: `ended` is the decision of finishTurn. */
export interface LoopCut {
  how: 'error' | 'aborted' | 'interrupted' | 'ended';
  station: Station;
}

export interface LoopPlace {
  /** `empty`: there was no run yet. */
  state: 'empty' | 'running' | 'settling' | 'done' | 'aborted' | 'error' | 'interrupted';
  paused: boolean;
  /** Numbers from 1; 0 when there is none. */
  run: number;
  turn: number;
  turnId?: string;
  pass: number;
  /** Where the token is, or was at the end. */
  station?: Station;
  /** The record that brought it there. */
  seq: number;
  line?: LoopLine;
  condition?: LoopCondition;
  values: LoopValues;
  /** The last mark of each station in this turn, its way in included. */
  visits: ReadonlyMap<Station, Mark>;
  marks: readonly Mark[];
  /** The legs that the token took, in order; the last one up to its station. */
  travelled: Leg[];
  /** The legs that it will take, once a decision is known; from its station on. */
  ahead: Leg[];
  stream?: LoopStream;
  batch?: LoopBatch;
  /** The polls of this turn and of its way in, and the one that closed the turn before. */
  polls: readonly Mark[];
  /** Messages that a poll took and that have not joined the context yet. */
  carried?: { queue: QueueName; count: number };
  queues: Record<QueueName, LoopCard[]>;
  /** What the next request sends: how many messages, and the newest of them, in order. */
  context: { count: number; last: LoopMessage[] };
  cut?: LoopCut;
}

/** Of a stream this many deltas take half of what is left of its arc. */
const HALF_DELTAS = 40;

/** ms since it was queued, in which a card is fresh. */
const FRESH_MS = 250;

/** So many of the context's messages are named. */
const NEWEST = 16;

export function loopPlace(trace: Trace): LoopPlace {
  const run = trace.runs.at(-1);
  const queues = { steering: cards(trace, 'steering'), followUp: cards(trace, 'followUp') };
  const context = contextOf(trace);
  if (!run)
    return {
      state: 'empty',
      paused: false,
      run: 0,
      turn: 0,
      pass: 0,
      seq: 0,
      values: {},
      visits: new Map(),
      marks: [],
      polls: [],
      travelled: [],
      ahead: [],
      queues,
      context,
    };
  const window = loopWindow(trace, run);
  const { turn, marks } = window;
  const answer = turn && answerOf(trace, turn);
  const batch = turn && loopBatch(trace, turn);
  const cut = cutOf(run, marks, answer);
  const end = cut || run.status === 'running' ? undefined : stopMark(run);
  const mark = end ?? (run.status !== 'running' && cut ? brokenMark(marks, cut) : marks.at(-1));
  const station = mark?.station;
  const decide = mark?.decide;
  const stream = streamOf(answer, marks);
  const carried = carriedBy(window);
  return {
    state: stateOf(trace, run),
    paused: trace.paused,
    run: run.n,
    turn: turn?.n ?? 0,
    ...(turn ? { turnId: turn.id } : {}),
    pass: window.pass,
    ...(station ? { station } : {}),
    seq: mark?.seq ?? run.seq,
    ...(mark ? { line: mark.line } : {}),
    ...(decide ? { condition: loopCondition(decide) } : {}),
    values: loopValues(marks, answer, batch),
    visits: new Map(marks.map((each) => [each.station, each])),
    marks,
    polls: pollsOf(window),
    travelled: station ? travelled(window, station) : [],
    ahead: station && run.status === 'running' ? ahead(station, mark) : [],
    ...(stream ? { stream } : {}),
    ...(batch ? { batch } : {}),
    ...(carried && run.status === 'running' ? { carried } : {}),
    queues,
    context,
    ...(cut ? { cut } : {}),
  };
}

function stateOf({ state }: Trace, { status }: RunNode): LoopPlace['state'] {
  if (status === 'running') return 'running';
  return status === 'done' && state === 'settling' ? 'settling' : status;
}

function cards(trace: Trace, queue: QueueName): LoopCard[] {
  const places = landings(trace);
  return trace.queues[queue].map(({ id, message, at }) => ({
    id,
    text: firstLine(contentText('content' in message ? message.content : undefined)),
    isFresh: trace.at - at < FRESH_MS,
    stranded: isStranded(places.get(id)),
  }));
}

function contextOf({ transcript, messages }: Trace): LoopPlace['context'] {
  const last = transcript.slice(-NEWEST).flatMap((id) => {
    const message = messages.get(id);
    return message ? [{ id, kind: messageKind(message) }] : [];
  });
  return { count: transcript.length, last };
}

function messageKind({ role, origin }: MessageNode): LoopMessage['kind'] {
  if (origin === 'steering') return 'steering';
  if (origin === 'followUp') return 'follow-up';
  if (role === 'toolResult') return 'tool';
  return role === 'assistant' || role === 'user' ? role : 'note';
}

/** A model's answer that broke cuts the ring at its stream, also while the run still closes. */
function cutOf(run: RunNode, marks: Mark[], answer: MessageNode | undefined): LoopCut | undefined {
  if (answer?.status === 'error' || answer?.status === 'aborted')
    return { how: answer.status, station: 'stream' };
  const last = marks.at(-1);
  if (run.status === 'error' || run.status === 'aborted' || run.status === 'interrupted')
    return { how: run.status, station: last?.station ?? 'start' };
  const decide = last?.decide;
  return decide && endsRun(decide) ? { how: 'ended', station: 'finishTurn' } : undefined;
}

/** The line that ended the run stays lit, at the place where it was cut. */
function brokenMark(marks: Mark[], { station }: LoopCut): Mark | undefined {
  const last = marks.at(-1);
  if (last?.decide) return { ...last, station };
  return marks.findLast((mark) => mark.station === station) ?? last;
}

function stopMark({ seq, at, endSeq, endAt }: RunNode): Mark {
  return { seq: endSeq ?? seq, at: endAt ?? at, station: 'stop', line: 'stop' };
}

function streamOf(answer: MessageNode | undefined, marks: Mark[]): LoopStream | undefined {
  if (!answer) {
    const asked = marks.some(({ station }) => station === 'stream');
    return asked ? { state: 'waiting', deltas: 0, progress: 0 } : undefined;
  }
  const deltas = deltasOf(answer);
  const whole = answer.status === 'done';
  const progress = whole ? 1 : 0.96 * (1 - 2 ** (-deltas / HALF_DELTAS));
  const state = answer.endAt !== undefined ? 'done' : deltas === 0 ? 'waiting' : 'streaming';
  const isCutOff = answer.stopReason === 'length';
  return { state, deltas, progress, message: answer.id, ...(isCutOff ? { isCutOff } : {}) };
}

function pollsOf({ before, marks }: LoopWindow): Mark[] {
  return [...(before ? [before] : []), ...marks].filter(({ poll }) => poll);
}

function carriedBy({ before, marks }: LoopWindow): LoopPlace['carried'] {
  const last = [...(before ? [before] : []), ...marks].findLast(
    ({ poll, inject }) => inject ?? (poll && poll.count > 0),
  );
  return last?.poll;
}

const legs: Record<Station, Leg> = {
  start: 'lead',
  pollStart: 'lead',
  turnStart: 'inner',
  inject: 'inner',
  prepareRequest: 'inner',
  stream: 'inner',
  tools: 'inner',
  finishTurn: 'inner',
  pollSteering: 'inner',
  innerGoOn: 'inner',
  prepareNextTurn: 'yes',
  pollPrepare: 'yes',
  pollFollowUp: 'no',
  outerGoOn: 'no',
  prepareNextPass: 'return',
  pollNextPass: 'return',
  stop: 'stop',
};

export function legOf(station: Station): Leg {
  return legs[station];
}

/** How a turn is reached. */
const wayIn: Record<LoopWindow['turnIn'], Leg[]> = {
  start: ['lead', 'entry'],
  nextTurn: ['yes'],
  nextPass: ['return', 'entry'],
};

/** The way of this turn, from where it came in: what led to the turn before is left behind. */
function travelled({ turnIn }: LoopWindow, station: Station): Leg[] {
  const leg = legOf(station);
  if (leg === 'lead') return ['lead'];
  if (leg === 'return') return ['inner', 'no', 'return'];
  if (leg === 'yes') return ['inner', 'yes'];
  const inside: Leg[] = [...wayIn[turnIn], 'inner'];
  if (leg === 'inner') return inside;
  return leg === 'no' ? [...inside, 'no'] : [...inside, 'no', 'stop'];
}

function ahead(station: Station, mark: Mark | undefined): Leg[] {
  switch (station) {
    case 'innerGoOn':
      return mark?.decide?.go ? ['yes'] : ['no'];
    case 'outerGoOn':
      return mark?.decide?.go ? ['return', 'entry'] : ['stop'];
    case 'prepareNextTurn':
    case 'pollPrepare':
      return ['yes'];
    case 'prepareNextPass':
    case 'pollNextPass':
      return ['return', 'entry'];
    default:
      return [];
  }
}
