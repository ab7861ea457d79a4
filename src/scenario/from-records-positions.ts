/** Places of the loop, counted as the records tell them and as the scenario's own session will count them. */
import type { AgentEvent } from '../loop/types';
import type { AssistantBody, LoopPosition, RecordOf, TraceRecord } from '../records/types';
import type { ScenarioPosition } from './types';

type EventType = AgentEvent['type'];

/** What streams of an answer when it is played again. */
export interface ReplayedUpdates {
  count: number;
  /** Where the nth update that was recorded comes in the replay, both from 1. */
  place: (nth: number) => number;
}

/** Events that the end of an interrupted run would have had: the scenario aborts it instead. */
interface Closing {
  event: EventType;
  /** Behind so many of its kind. */
  after: number;
}

export class PositionReader {
  readonly #counts = new Map<EventType, number>();
  /** How many updates were told before each answer that streamed, in order. */
  readonly #streams: { message: string; before: number }[] = [];
  readonly #closings: Closing[] = [];
  readonly #open = new OpenRun();
  #last: EventType | undefined;
  #lastAt = 0;
  #wentOn = false;
  /** Steps that the loop told since the last event. */
  #steps = 0;
  #isHeld = false;

  /** The place of the last event; `undefined` before the first. */
  get last(): LoopPosition | undefined {
    return this.#last && { event: this.#last, nth: this.#count(this.#last) };
  }

  /** ms; when the last event was told. */
  get lastAt(): number {
    return this.#lastAt;
  }

  /** The step at which the loop is held, from 1 behind the last event: what is done now is done there. */
  get heldStep(): number | undefined {
    return this.#isHeld && this.#steps > 0 ? this.#steps : undefined;
  }

  /** The loop went on after the last event: what is done now was not done within it. */
  get wentOn(): boolean {
    return this.#wentOn;
  }

  /** An abort now would make the loop ask once more than is recorded. */
  get leavesRequest(): boolean {
    return this.#open.leavesRequest;
  }

  read(record: TraceRecord): void {
    if (record.type === 'interrupted') this.#interrupted();
    this.#open.read(record);
    if (goesOn(record)) this.#wentOn = true;
    if (record.type === 'step' || record.type === 'request' || record.type === 'hook') this.#steps++;
    if (record.type === 'pause') this.#isHeld = record.stepped === true;
    if (record.type === 'resume' || record.type === 'interrupted') this.#isHeld = false;
    if (!isEvent(record) || this.#open.isSilent(record)) return;
    this.#last = record.type;
    this.#lastAt = record.at;
    this.#wentOn = false;
    this.#steps = 0;
    if (record.type === 'message_update' && this.#streams.at(-1)?.message !== record.message)
      this.#streams.push({ message: record.message, before: this.#count('message_update') });
    const times = record.type === 'message_update' ? (record.joined ?? 1) : 1;
    this.#counts.set(record.type, this.#count(record.type) + times);
  }

  /** Where a place of the records is in the replay. */
  replayed(on: ScenarioPosition, updates: ReadonlyMap<string, ReplayedUpdates>): ScenarioPosition {
    const { event, nth } = on;
    if (event === 'message_update') return { ...on, nth: this.#update(nth, updates) };
    const more = this.#closings.filter((closing) => closing.event === event && closing.after < nth).length;
    return { ...on, nth: nth + more };
  }

  #update(nth: number, updates: ReadonlyMap<string, ReplayedUpdates>): number {
    let before = 0;
    const at = this.#streams.findLastIndex((stream) => stream.before < nth);
    for (const { message } of this.#streams.slice(0, at)) before += updates.get(message)?.count ?? 0;
    const stream = this.#streams[at];
    const place = stream && updates.get(stream.message)?.place(nth - stream.before);
    return Math.max(1, before + (place ?? 0));
  }

  #interrupted(): void {
    for (const event of this.#open.closings()) this.#closings.push({ event, after: this.#count(event) });
  }

  #count(event: EventType): number {
    return this.#counts.get(event) ?? 0;
  }
}

/** What is open in the run that goes on, and which events would close it after an abort. */
class OpenRun {
  #run = false;
  #turn = false;
  #asked = false;
  /** Its start was told, its end was not. */
  #answering = false;
  #calls: { started: boolean; ended: boolean; told: boolean }[] | undefined;
  #answer: string | undefined;
  /** Messages that no loop told of. */
  readonly #silent = new Set<string>();

  isSilent(record: TraceRecord): boolean {
    return 'message' in record && record.type.startsWith('message_') && this.#silent.has(record.message);
  }

  read(record: TraceRecord): void {
    switch (record.type) {
      case 'agent_start':
        this.#run = true;
        return;
      case 'agent_end':
      case 'interrupted':
        this.#run = this.#turn = false;
        return;
      case 'request':
        this.#asked = true;
        return;
      case 'turn_start':
        this.#turn = true;
        this.#asked = false;
        this.#answering = false;
        this.#calls = undefined;
        return;
      case 'turn_end':
        this.#turn = false;
        return;
      case 'message_start':
        return this.#messageStart(record);
      case 'message_end':
        return this.#messageEnd(record);
      case 'tool_execution_start': {
        const call = this.#calls?.find(({ started }) => !started);
        if (call) call.started = true;
        return;
      }
      case 'tool_execution_end': {
        const call = this.#calls?.find(({ ended }) => !ended);
        if (call) call.ended = true;
      }
    }
  }

  get leavesRequest(): boolean {
    return this.#run && this.#turn && (!this.#asked || this.#calls !== undefined);
  }

  /** An abort lets tools and answer end; behind a batch one more request is made, which is aborted too. */
  closings(): EventType[] {
    if (!this.#run) return [];
    if (!this.#turn) return ['agent_end'];
    const answer: EventType[] = this.#answering ? ['message_end'] : ['message_start', 'message_end'];
    if (!this.#calls) return [...answer, 'turn_end', 'agent_end'];
    const calls = this.#calls.flatMap(({ started, ended, told }): EventType[] => [
      ...(started ? [] : (['tool_execution_start'] as const)),
      ...(ended ? [] : (['tool_execution_end'] as const)),
      ...(told ? [] : (['message_start', 'message_end'] as const)),
    ]);
    return [...calls, 'turn_end', 'turn_start', 'message_start', 'message_end', 'turn_end', 'agent_end'];
  }

  #messageStart({ message, origin }: RecordOf<'message_start'>): void {
    if (origin === 'history' || origin === 'interrupted') this.#silent.add(message);
    if (origin !== 'model') return;
    this.#answer = message;
    this.#answering = true;
  }

  #messageEnd({ message, body }: RecordOf<'message_end'>): void {
    if (message === this.#answer) {
      this.#answering = false;
      const { content } = body as AssistantBody;
      this.#calls = content.flatMap((block) =>
        block.type === 'toolCall' ? [{ started: false, ended: false, told: false }] : [],
      );
    }
    const call = body.role === 'toolResult' ? this.#calls?.find(({ told }) => !told) : undefined;
    if (call) call.told = true;
  }
}

/** What the loop, a hook or a tool does between two events. */
function goesOn(record: TraceRecord): boolean {
  switch (record.type) {
    case 'step':
    case 'hook':
    case 'request':
    case 'http':
    case 'nested_call_start':
    case 'nested_call_end':
      return true;
    case 'permission':
    case 'answer':
      return record.state === 'asked';
    case 'file_change':
      return record.by === 'tool';
    default:
      return false;
  }
}

function isEvent(record: TraceRecord): record is Extract<TraceRecord, { type: EventType }> {
  return /^(?:agent_(?:start|end)|turn_.*|message_.*|tool_execution_.*)$/.test(record.type);
}
