/**
 * The lanes of the time axis: what the trace says took time, as rows of bars in columns. They grow with the trace, at
 * the cost of what is new or still open in it.
 */
import { addBusy, idleGaps, type BusyTime, type Stretch } from './lanes-busy';
import { LaneClock, type Moment } from './lanes-clock';
import {
  addMoments,
  barOf,
  busyTimeOf,
  isLastStay,
  staySpan,
  staysOf,
  type LaneNode,
  type Stay,
} from './lanes-nodes';
import { rowByEnd, rowByStart, rowOfCall } from './lanes-pack';
import { LaneRow, type Bar } from './lanes-row';
import { LaneReader, type Fresh } from './lanes-reader';
import { foldedScale, wallScale, type Scale, type ScaleMode } from './lanes-scale';
import type { QueueName } from '../loop/types';
import type { NoteNode, Trace } from './types';

export type LaneKind = 'run' | 'turn' | 'model' | 'tool' | 'steering' | 'followUp' | 'hook';

/** From cause to effect, which is also from top to bottom. */
export const LANE_KINDS: readonly LaneKind[] = [
  'run',
  'turn',
  'model',
  'tool',
  'steering',
  'followUp',
  'hook',
];

interface Open {
  row: LaneRow;
  index: number;
}

export class Lanes {
  /** The rows of each lane; bars that overlap in time lie in different rows, of which there are as few as can be. */
  readonly rows: Record<LaneKind, LaneRow[]> = {
    run: [],
    turn: [],
    model: [],
    tool: [],
    steering: [],
    followUp: [],
    hook: [],
  };
  readonly pauses = new LaneRow();
  /** Polls, as bars without length. */
  readonly polls = { steering: new LaneRow(), followUp: new LaneRow() };
  /** What the bars stand for: `nodes[row.node[index]]`. */
  readonly nodes: LaneNode[] = [];
  readonly clock = new LaneClock();
  /** Where the first run or queued message began; `undefined` while there is none. */
  start: Moment | undefined;
  /** The trace's last record. */
  end: Moment = { seq: 0, at: 0 };

  readonly #reader: LaneReader;
  readonly #busy: BusyTime = [];
  #open: Open[] = [];
  readonly #steps: Scale;

  constructor(readonly trace: Trace) {
    this.#reader = new LaneReader(trace);
    const { clock } = this;
    this.#steps = {
      mode: 'steps',
      measure: 'seq',
      place: (seq) => clock.stepOf(seq),
      value: (step) => clock.seqOfStep(step),
      gaps: [],
    };
  }

  /** Takes in what the trace has grown by. */
  grow(): void {
    const { trace } = this;
    if (trace.seq === this.end.seq) return;
    this.end = { seq: trace.seq, at: trace.at };
    const fresh = this.#reader.read();
    this.start ??= fresh.start;
    this.#tick(fresh);
    const stays = [...this.#refresh(), ...fresh.nodes.filter(isStay)];
    for (const node of fresh.nodes) if (!isStay(node)) this.#add(node);
    for (const stay of stays.sort((a, b) => staySpan(a).seq - staySpan(b).seq)) this.#add(stay);
  }

  /** The axis in this mode. `now` is the session's time, in ms, at or after the last record. */
  scale(mode: ScaleMode, now: number): Scale {
    if (mode === 'wall') return wallScale;
    if (mode === 'steps') return this.#steps;
    const busy = [...this.#busy];
    for (const { row, index } of this.#open)
      for (const stretch of this.#busyTime(row, index, now)) addBusy(busy, stretch);
    return foldedScale(idleGaps(busy, this.start?.at ?? 0, now));
  }

  nodeAt(row: LaneRow, index: number): LaneNode | undefined {
    return index < row.count ? this.nodes[row.node[index] ?? 0] : undefined;
  }

  #tick({ nodes, moments }: Fresh): void {
    for (const node of nodes) addMoments(moments, node, this.trace);
    for (const { row, index } of this.#open) {
      const node = this.nodeAt(row, index);
      if (node) addMoments(moments, node, this.trace);
    }
    this.clock.add(moments, this.end);
  }

  /** Brings what was open up to date; returns the stays in the queues that moves have begun since. */
  #refresh(): Stay[] {
    const open = this.#open;
    this.#open = [];
    const stays: Stay[] = [];
    for (const { row, index } of open) {
      const node = this.nodeAt(row, index);
      if (!node) continue;
      row.set(index, barOf(node, this.trace, this.clock));
      this.#keep(node, row, index);
      if (isStay(node)) stays.push(...staysOf(node.item, node.stay + 1));
    }
    return stays;
  }

  #add(node: LaneNode): void {
    const bar = barOf(node, this.trace, this.clock);
    const row = this.#rowFor(node, bar);
    this.#keep(node, row, row.push(bar, this.nodes.push(node) - 1));
  }

  #rowFor(node: LaneNode, bar: Bar): LaneRow {
    switch (node.kind) {
      case 'pause':
        return this.pauses;
      case 'poll':
        return this.polls[queueOfPoll(node.note)];
      case 'hook':
        return rowByEnd(this.rows.hook, bar);
      case 'tool':
        return rowOfCall(this.rows.tool, bar);
      default:
        return rowByStart(this.rows[node.kind], (row, last) => (row.endSeq[last] ?? 0) < bar.seq);
    }
  }

  /** What can still change stays open; of what cannot, its time is known. */
  #keep(node: LaneNode, row: LaneRow, index: number): void {
    const isOpen = row.endAt[index] === Infinity;
    const willLand = isStay(node) && isLastStay(node) && node.item.left === 'drain' && !node.item.landed;
    if (isOpen || willLand) this.#open.push({ row, index });
    if (!isOpen) for (const stretch of this.#busyTime(row, index, Infinity)) addBusy(this.#busy, stretch);
  }

  #busyTime(row: LaneRow, index: number, end: number): Stretch[] {
    const node = this.nodeAt(row, index);
    const [at = 0, endAt = 0] = [row.at[index], row.endAt[index]];
    return node ? busyTimeOf(node, { at, endAt }, this.trace, end) : [];
  }
}

/** The lanes of this trace: those of before, grown, when they are of the same one. */
export function lanesOf(trace: Trace, before?: Lanes): Lanes {
  const lanes = before?.trace === trace && before.end.seq <= trace.seq ? before : new Lanes(trace);
  lanes.grow();
  return lanes;
}

function isStay(node: LaneNode): node is Stay {
  return node.kind === 'steering' || node.kind === 'followUp';
}

function queueOfPoll({ note }: NoteNode): QueueName {
  return note.type === 'step' && note.step.type === 'poll' ? note.step.queue : 'steering';
}
