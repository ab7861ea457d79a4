/** What the person (or the scenario before) did, as actions at the places that the records carry. */
import type { QueueName } from '../loop/types';
import type { FileContent, LoopPosition, RecordOf, SessionConfig, TraceRecord } from '../records/types';
import type { PositionReader } from './from-records-positions';
import { textOf } from './from-records-start';
import type { ScenarioAction, ScenarioPosition } from './types';

type WithoutPlace<A> = A extends unknown ? Omit<A, 'on' | 'afterMs'> : never;
/** Actions; `names` are tools that are set, and how they are written down is known at the end. */
export type Act =
  | Exclude<WithoutPlace<ScenarioAction>, { do: 'tools' | 'file' }>
  | { do: 'tools'; names: string[] }
  /** Its content may lie in a blob. */
  | { do: 'file'; path: string; content?: FileContent };
export interface ActAt {
  on: ScenarioPosition;
  /** ms; how long after that place. */
  afterMs?: number;
  act: Act;
  /** The place is the replay's already: each run ends there, also one that was interrupted. */
  inReplay?: boolean;
}

const MAX_MS = 3_600_000;
/** An answer that a person writes comes sooner in the replay, and what is done meanwhile sooner still. */
const WHILE_PERSON_ANSWERS_MS = 100;
/** Nobody wants to wait again for as long as somebody made up his mind. */
const WHILE_PERSON_IS_ASKED_MS = 3_000;
const beginning: LoopPosition = { event: 'agent_start', nth: 1 };

export class ActionReader {
  readonly acts: ActAt[] = [];
  readonly #positions: PositionReader;
  readonly #queues: Record<QueueName, string[]> = { steering: [], followUp: [] };
  /** Ids of the prompts that were sent. */
  readonly #prompts: string[] = [];
  /** Runs that began. */
  #runs = 0;
  /** A run goes on that nobody has aborted yet. */
  #goesOn = false;
  #retries = false;
  /** Questions that nobody has answered yet. */
  readonly #asks = new Set<string>();
  #isPersonAnswering = false;
  /** Questions whether a tool may reach out. */
  readonly #reachingOut = new Set<string>();
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
        this.#goesOn = false;
        this.#asks.clear();
        return;
      case 'rewind':
        return this.#rewind(record);
      case 'interrupted':
        return this.#interrupted(record);
      case 'queue':
        return this.#queue(record);
      case 'abort':
        this.#add(record, { do: 'abort' });
        this.#goesOn = false;
        return;
      case 'permission':
        return this.#permission(record);
      case 'answer':
        if (record.state === 'asked') return void this.#asks.add(record.ask);
        this.#add(record, { do: 'answer', text: record.text });
        return void this.#asks.delete(record.ask);
      case 'request':
        this.#isPersonAnswering = record.model.api === 'manual';
        return;
      case 'message_start':
        if (record.origin === 'prompt' && record.role === 'user') this.#prompts.push(record.message);
        this.#isPersonAnswering = false;
        return;
      case 'config':
        if (this.#runs > 0) this.#config(record, record.set);
        return;
      case 'file_change':
        if (this.#runs > 0 && record.by === 'person') this.#file(record);
    }
  }

  #add(record: Pick<TraceRecord, 'at'> & { on?: LoopPosition }, act: Act): void {
    const { at, on = beginning } = record;
    const { heldStep: step } = this.#positions;
    if (record.on && step !== undefined) return void this.acts.push({ on: { ...on, step }, act });
    // Within a stream the places are close enough.
    const isWait = record.on && on.event !== 'agent_end' && on.event !== 'message_update';
    const ms = isWait ? this.#delay(at) : 0;
    this.acts.push({ on, act, ...(ms > 0 || (isWait && this.#positions.wentOn) ? { afterMs: ms } : {}) });
  }

  /** ms that pass in the replay too: between runs none does. */
  #delay(at: number): number {
    const ms = Math.max(0, Math.round(at - this.#positions.lastAt));
    if (this.#isPersonAnswering) return Math.min(ms, WHILE_PERSON_ANSWERS_MS);
    return Math.min(ms, this.#asks.size > 0 ? WHILE_PERSON_IS_ASKED_MS : MAX_MS);
  }

  /** A run that neither a prompt nor the scenario's start began. */
  #run({ how }: RecordOf<'agent_start'>): void {
    if (how !== 'prompt' && this.#runs > 0) {
      const on = { event: 'agent_end' as const, nth: this.#runs };
      this.acts.push({
        on,
        act: { do: this.#retries ? 'retry' : 'continue' },
        inReplay: true,
      });
    }
    this.#runs++;
    this.#goesOn = true;
    this.#retries = false;
  }

  #rewind({ why, drop }: RecordOf<'rewind'>): void {
    this.#retries = why === 'retry';
    const prompt = this.#prompts.indexOf(drop[0] ?? '') + 1;
    if (why !== 'edit' || prompt === 0) return;
    const on = { event: 'agent_end' as const, nth: this.#runs };
    this.acts.push({ on, act: { do: 'rewind', prompt }, inReplay: true });
  }

  /**
   * Unless it was aborted before, nobody aborted it, but nothing else ends a run in the middle, and what was waited for has
   * begun then. Its aborted answer is what a new request takes back.
   */
  #interrupted({ at }: RecordOf<'interrupted'>): void {
    const on = this.#positions.last;
    const afterMs = Math.max(1, this.#delay(at));
    if (this.#goesOn && on) this.acts.push({ on, afterMs, act: { do: 'abort' } });
    this.#goesOn = false;
    this.#retries = true;
    this.#asks.clear();
  }

  /** Tools that reach out are scripted in the replay, where nobody is asked about them. */
  #permission(record: RecordOf<'permission'>): void {
    if (record.state === 'asked') {
      this.#asks.add(record.ask);
      if (record.subject.fetch) this.#reachingOut.add(record.ask);
      return;
    }
    if (!this.#reachingOut.has(record.ask))
      this.#add(record, { do: 'permission', allow: record.state === 'allowed' });
    this.#asks.delete(record.ask);
  }

  #file({ path, after, at }: RecordOf<'file_change'>): void {
    const on = this.#positions.last;
    this.#add({ at, ...(on ? { on } : {}) }, { do: 'file', path, ...(after ? { content: after } : {}) });
  }

  #config(record: RecordOf<'config'>, set: SessionConfig): void {
    const { tools, steeringMode, followUpMode, thinkingLevel, toolExecution, rules } = set;
    const { systemPrompt, requestLimit } = set;
    if (tools) this.#add(record, { do: 'tools', names: tools });
    if (rules) this.#add(record, { do: 'rules', rules });
    if (steeringMode) this.#add(record, { do: 'mode', queue: 'steering', mode: steeringMode });
    if (followUpMode) this.#add(record, { do: 'mode', queue: 'followUp', mode: followUpMode });
    const others = {
      ...(thinkingLevel ? { thinkingLevel } : {}),
      ...(toolExecution ? { toolExecution } : {}),
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
      ...(requestLimit === undefined ? {} : { requestLimit }),
    };
    if (Object.keys(others).length > 0) this.#add(record, { do: 'set', ...others });
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
