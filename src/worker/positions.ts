/** Places in the loop's own events, by counting them: before any joining of deltas. */
import type { AgentEvent } from '../loop/types';
import type { LoopPosition, TraceRecord } from '../records/types';
import type { ScenarioPosition } from '../scenario/types';

type EventType = AgentEvent['type'];

export class Positions {
  readonly #counts = new Map<string, number>();
  #last: { event: EventType; tool: string | undefined } | undefined;
  /** Steps that were told since the last event. */
  #steps = 0;

  /** Counts an event of the loop. */
  count(event: AgentEvent): void {
    this.#count(event.type, 'toolName' in event ? event.toolName : undefined);
  }

  /** Counts a step of the loop. */
  countStep(): void {
    this.#steps++;
  }

  /** The place of the event that was counted last; `undefined` before the first. */
  get last(): LoopPosition | undefined {
    if (!this.#last) return undefined;
    const { event } = this.#last;
    return { event, nth: this.#counts.get(event) ?? 0 };
  }

  /** Whether the event or step that was counted last is the one that `position` names. */
  isAt({ event, nth, tool, step = 0 }: ScenarioPosition): boolean {
    if (event !== this.#last?.event || step !== this.#steps) return false;
    if (tool === undefined) return this.#counts.get(event) === nth;
    return tool === this.#last.tool && this.#counts.get(key(event, tool)) === nth;
  }

  /** The counts after the records of a session: what its loop told so far. */
  static after(records: readonly TraceRecord[]): Positions {
    const positions = new Positions();
    const tools = new Map<string, string>();
    /** Messages that no loop told of. */
    const silent = new Set<string>();
    for (const record of records) {
      switch (record.type) {
        case 'agent_start':
        case 'agent_end':
        case 'turn_start':
        case 'turn_end':
          positions.#count(record.type);
          break;
        case 'message_start':
          if (record.origin === 'history' || record.origin === 'interrupted') silent.add(record.message);
          else positions.#count(record.type);
          break;
        case 'message_end':
          if (!silent.has(record.message)) positions.#count(record.type);
          break;
        case 'message_update':
          positions.#count(record.type, undefined, record.joined);
          break;
        case 'tool_execution_start':
          tools.set(record.call, record.toolName);
          positions.#count(record.type, record.toolName);
          break;
        case 'tool_execution_update':
        case 'tool_execution_end':
          positions.#count(record.type, tools.get(record.call));
          break;
      }
    }
    return positions;
  }

  #count(event: EventType, tool?: string, times = 1): void {
    this.#counts.set(event, (this.#counts.get(event) ?? 0) + times);
    if (tool !== undefined)
      this.#counts.set(key(event, tool), (this.#counts.get(key(event, tool)) ?? 0) + times);
    this.#last = { event, tool };
    this.#steps = 0;
  }
}

function key(event: EventType, tool: string): string {
  return `${event} ${tool}`;
}
