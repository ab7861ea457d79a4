/**
 * The lanes of the time axis: what the trace says took time, as rows of bars in columns. They grow with the trace, at
 * the cost of what is new or still open in it.
 */
import { addBusy, idleGaps, type BusyTime, type Stretch } from './lanes-busy';
import { LaneClock, type Moment } from './lanes-clock';
import { addMoments, barOf, busyTimeOf, type LaneNode } from './lanes-nodes';
import { rowByEnd, rowByStart } from './lanes-pack';
import { LaneRow, type Bar } from './lanes-row';
import { LaneReader, type Fresh } from './lanes-reader';
import { foldedScale, stepScale, wallScale, type Scale, type ScaleMode } from './lanes-scale';
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
  /** Polls that found nothing, as bars without length. */
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
  #queued: number[] = [];

  constructor(readonly trace: Trace) {
    this.#reader = new LaneReader(trace);
  }

  /** Takes in what the trace has grown by. */
  grow(): void {
    const { trace } = this;
    if (trace.seq === this.end.seq) return;
    this.end = { seq: trace.seq, at: trace.at };
    const fresh = this.#reader.read();
    this.start ??= fresh.start;
    this.#tick(fresh);
    this.#refresh();
    for (const node of fresh.nodes) this.#add(node);
  }

  /** The axis in this mode. `now` is the session's time, in ms, at or after the last record. */
  scale(mode: ScaleMode, now: number): Scale {
    if (mode === 'wall') return wallScale;
    if (mode === 'steps') return stepScale;
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

  /** Brings what was open up to date. */
  #refresh(): void {
    const open = this.#open;
    this.#open = [];
    let moved = false;
    for (const { row, index } of open) {
      const node = this.nodeAt(row, index);
      if (!node) continue;
      if (isQueued(node) && node.item.queue !== node.kind) moved = true;
      row.set(index, barOf(node, this.trace, this.clock));
      this.#keep(node, row, index);
    }
    if (moved) this.#packQueues();
  }

  #add(node: LaneNode): void {
    const index = this.nodes.push(node) - 1;
    if (isQueued(node)) this.#queued.push(index);
    this.#place(node, index);
  }

  #place(node: LaneNode, nodeIndex: number): void {
    const bar = barOf(node, this.trace, this.clock);
    const row = this.#rowFor(node, bar);
    this.#keep(node, row, row.push(bar, nodeIndex));
  }

  #rowFor(node: LaneNode, bar: Bar): LaneRow {
    switch (node.kind) {
      case 'pause':
        return this.pauses;
      case 'poll':
        return this.polls[queueOfPoll(node.note)];
      case 'hook':
        return rowByEnd(this.rows.hook, bar);
      default:
        return rowByStart(this.rows[node.kind], (row, last) => (row.endSeq[last] ?? 0) < bar.seq);
    }
  }

  /** What can still change stays open; of what cannot, its time is known. */
  #keep(node: LaneNode, row: LaneRow, index: number): void {
    const isOpen = row.endAt[index] === Infinity;
    const willLand = isQueued(node) && node.item.left === 'drain' && !node.item.landed;
    if (isOpen || willLand) this.#open.push({ row, index });
    if (!isOpen) for (const stretch of this.#busyTime(row, index, Infinity)) addBusy(this.#busy, stretch);
  }

  #busyTime(row: LaneRow, index: number, end: number): Stretch[] {
    const node = this.nodeAt(row, index);
    const [at = 0, endAt = 0] = [row.at[index], row.endAt[index]];
    return node ? busyTimeOf(node, { at, endAt }, this.trace, end) : [];
  }

  /** After a message moved to the other queue: lays both out again, which are short beside the rest. */
  #packQueues(): void {
    this.rows.steering = [];
    this.rows.followUp = [];
    this.#open = this.#open.filter(({ row, index }) => {
      const node = this.nodeAt(row, index);
      return node && !isQueued(node);
    });
    for (const index of this.#queued) {
      const node = this.nodes[index];
      if (!node || !isQueued(node)) continue;
      node.kind = node.item.queue;
      this.#place(node, index);
    }
  }
}

/** The lanes of this trace: those of before, grown, when they are of the same one. */
export function lanesOf(trace: Trace, before?: Lanes): Lanes {
  const lanes = before?.trace === trace && before.end.seq <= trace.seq ? before : new Lanes(trace);
  lanes.grow();
  return lanes;
}

type Queued = Extract<LaneNode, { kind: 'steering' | 'followUp' }>;

function isQueued(node: LaneNode): node is Queued {
  return node.kind === 'steering' || node.kind === 'followUp';
}

function queueOfPoll({ note }: NoteNode): QueueName {
  return note.type === 'step' && note.step.type === 'poll' ? note.step.queue : 'steering';
}
