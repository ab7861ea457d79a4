/** What the person (or the scenario before) did, as actions at the places that the records carry. */
import type { QueueName } from '../loop/types';
import type { LoopPosition, RecordOf, SessionConfig, TraceRecord } from '../records/types';
import type { PositionReader } from './from-records-positions';
import { textOf } from './from-records-start';
import type { ScenarioAction } from './types';

type WithoutPlace<A> = A extends unknown ? Omit<A, 'on'> : never;
/** `names`: tools that are set; how they are written down is known at the end. */
export type Act = Exclude<WithoutPlace<ScenarioAction>, { do: 'tools' }> | { do: 'tools'; names: string[] };
export interface ActAt {
  on: LoopPosition;
  act: Act;
}

const beginning: LoopPosition = { event: 'agent_start', nth: 1 };

export class ActionReader {
  readonly acts: ActAt[] = [];
  readonly #positions: PositionReader;
  readonly #queues: Record<QueueName, string[]> = { steering: [], followUp: [] };
  /** Runs that began. */
  #runs = 0;
  #isRunning = false;
  #retries = false;
  /** What a move took out of a queue, and its place there. */
  #left: { id: string; item: number } | undefined;

  /** `positions` has read what these records say of places. */
  constructor(positions: PositionReader) {
    this.#positions = positions;
  }

  read(record: TraceRecord): void {
    switch (record.type) {
      case 'agent_start':
        return this.#run(record);
      case 'agent_end':
        this.#isRunning = false;
        return;
      case 'rewind':
        this.#retries = record.why === 'retry';
        return;
      case 'interrupted':
        return this.#interrupted();
      case 'queue':
        return this.#queue(record);
      case 'abort':
        return this.#add(record, { do: 'abort' });
      case 'permission':
        if (record.state !== 'asked')
          this.#add(record, { do: 'permission', allow: record.state === 'allowed' });
        return;
      case 'answer':
        if (record.state === 'answered') this.#add(record, { do: 'answer', text: record.text });
        return;
      case 'config':
        if (this.#runs > 0) this.#config(record, record.set);
    }
  }

  #add({ on = beginning }: { on?: LoopPosition }, act: Act): void {
    this.acts.push({ on, act });
  }

  /** A run that neither a prompt nor the scenario's start began. */
  #run({ how }: RecordOf<'agent_start'>): void {
    if (how !== 'prompt' && this.#runs > 0)
      this.#add(
        { on: { event: 'agent_end', nth: this.#runs } },
        { do: this.#retries ? 'retry' : 'continue' },
      );
    this.#runs++;
    this.#isRunning = true;
    this.#retries = false;
  }

  /** Nobody aborted it, but nothing else ends a run in the middle; its aborted answer is what a new request takes back. */
  #interrupted(): void {
    const on = this.#positions.last;
    if (this.#isRunning && on) this.#add({ on }, { do: 'abort' });
    this.#isRunning = false;
    this.#retries = true;
  }

  #config(record: { on?: LoopPosition }, set: SessionConfig): void {
    const { tools, steeringMode, followUpMode, thinkingLevel, toolExecution } = set;
    if (tools) this.#add(record, { do: 'tools', names: tools });
    if (steeringMode) this.#add(record, { do: 'mode', queue: 'steering', mode: steeringMode });
    if (followUpMode) this.#add(record, { do: 'mode', queue: 'followUp', mode: followUpMode });
    if (!thinkingLevel && !toolExecution) return;
    this.#add(record, {
      do: 'set',
      ...(thinkingLevel ? { thinkingLevel } : {}),
      ...(toolExecution ? { toolExecution } : {}),
    });
  }

  #queue(record: RecordOf<'queue'>): void {
    const { queue, why, add = [], remove = [], order } = record;
    const before = this.#queues[queue];
    switch (why) {
      case 'enqueue':
        for (const { message } of add)
          this.#add(record, { do: queue === 'steering' ? 'steer' : 'followUp', text: textOf(message) });
        break;
      case 'clear':
        this.#add(record, { do: 'clear', queue });
        break;
      case 'remove':
        for (const id of remove) this.#add(record, { do: 'remove', queue, item: placeOf(id, before) });
        break;
      case 'edit':
        for (const { id, message } of add)
          this.#add(record, { do: 'edit', queue, item: placeOf(id, before), text: textOf(message) });
        break;
      case 'reorder':
        this.#reorder(record, order ?? before);
        break;
      case 'move':
        this.#move(record);
    }
    this.#queues[queue] = order ?? changed(before, add, remove);
  }

  /** A move between queues is told twice: what left one, and where it came in the other. */
  #move(record: RecordOf<'queue'>): void {
    for (const { id, index } of record.add ?? []) {
      const queue = record.queue === 'steering' ? 'followUp' : 'steering';
      const from = this.#left?.id === id ? this.#left.item : 1;
      this.#add(record, { do: 'move', queue, item: from, to: record.queue, index });
    }
    const [id] = record.remove ?? [];
    if (id !== undefined) this.#left = { id, item: placeOf(id, this.#queues[record.queue]) };
  }

  #reorder(record: RecordOf<'queue'>, after: readonly string[]): void {
    const { queue } = record;
    const before = this.#queues[queue];
    const moved = before.find((id) => isSame(without(before, id), without(after, id)));
    if (moved === undefined) return;
    const item = placeOf(moved, before);
    this.#add(record, { do: 'move', queue, item, to: queue, index: after.indexOf(moved) });
  }
}

/** From 1. */
function placeOf(id: string, ids: readonly string[]): number {
  return Math.max(0, ids.indexOf(id)) + 1;
}

function without(ids: readonly string[], id: string): string[] {
  return ids.filter((other) => other !== id);
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((id, index) => id === other[index]);
}

function changed(
  before: readonly string[],
  add: readonly { id: string; index: number }[],
  remove: readonly string[],
): string[] {
  let after = before.filter((id) => !remove.includes(id));
  for (const { id, index } of add) if (!after.includes(id)) after = after.toSpliced(index, 0, id);
  return after;
}
