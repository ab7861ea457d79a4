import type { AgentMessage, QueueChange, QueuedMessage, QueueMode, QueueName } from './types';

/** Told after each change of a queue: its content, why it changed, and the ids that were concerned. */
export type OnQueueChange = (
  queue: QueueName,
  content: readonly QueuedMessage[],
  why: QueueChange,
  ids: string[],
) => void;

export interface MessageQueuesOptions {
  modes: Record<QueueName, QueueMode>;
  newId: () => string;
  onChange?: OnQueueChange | undefined;
}

/**
 * The steering and the follow-up queue. Each message has an id of its own, which it keeps when it is edited, reordered
 * or moved to the other queue. Lists that were given out never change.
 */
export class MessageQueues {
  /** Read at each drain. */
  readonly modes: Record<QueueName, QueueMode>;
  readonly #newId: () => string;
  readonly #onChange: OnQueueChange | undefined;
  readonly #content: Record<QueueName, readonly QueuedMessage[]> = { steering: [], followUp: [] };

  constructor({ modes, newId, onChange }: MessageQueuesOptions) {
    this.modes = modes;
    this.#newId = newId;
    this.#onChange = onChange;
  }

  content(queue: QueueName): readonly QueuedMessage[] {
    return this.#content[queue];
  }

  /** Adds to the end, and returns the new id. */
  enqueue(queue: QueueName, message: AgentMessage): string {
    const id = this.#newId();
    this.#set(queue, [...this.#content[queue], { id, message }], 'enqueue', [id]);
    return id;
  }

  /** What the next drain takes: the oldest message, or all of them, as the mode says. */
  peek(queue: QueueName): readonly QueuedMessage[] {
    return this.modes[queue] === 'all' ? this.#content[queue] : this.#content[queue].slice(0, 1);
  }

  drain(queue: QueueName): readonly QueuedMessage[] {
    const taken = this.peek(queue);
    if (taken.length > 0) this.#set(queue, this.#content[queue].slice(taken.length), 'drain', idsOf(taken));
    return taken;
  }

  /** The message that was removed, or `undefined` when no message has this id. */
  remove(id: string): QueuedMessage | undefined {
    const found = this.#find(id);
    if (!found) return undefined;
    this.#set(found.queue, this.#content[found.queue].toSpliced(found.index, 1), 'remove', [id]);
    return found.queued;
  }

  /** Replaces the message under an id. False when no message has it. */
  edit(id: string, message: AgentMessage): boolean {
    const found = this.#find(id);
    if (!found) return false;
    this.#set(found.queue, this.#content[found.queue].with(found.index, { id, message }), 'edit', [id]);
    return true;
  }

  /**
   * Puts a message at an index of a queue, which may be its own: at the end when there is no index or it is too
   * large. The index counts without the message itself. False when no message has this id.
   */
  move(id: string, queue: QueueName, index = Infinity): boolean {
    const found = this.#find(id);
    if (!found) return false;
    const without = this.#content[found.queue].toSpliced(found.index, 1);
    const target = found.queue === queue ? without : this.#content[queue];
    const at = Math.min(Math.max(Math.trunc(index), 0), target.length);
    const content = target.toSpliced(at, 0, found.queued);
    if (found.queue === queue) {
      if (at !== found.index) this.#set(queue, content, 'reorder', [id]);
      return true;
    }
    // Both lists change before anybody is told: no one may see the message twice or not at all.
    this.#content[found.queue] = without;
    this.#content[queue] = content;
    this.#onChange?.(found.queue, without, 'move', [id]);
    this.#onChange?.(queue, content, 'move', [id]);
    return true;
  }

  clear(queue: QueueName): void {
    const dropped = this.#content[queue];
    if (dropped.length > 0) this.#set(queue, [], 'clear', idsOf(dropped));
  }

  #set(queue: QueueName, content: readonly QueuedMessage[], why: QueueChange, ids: string[]): void {
    this.#content[queue] = content;
    this.#onChange?.(queue, content, why, ids);
  }

  #find(id: string): { queue: QueueName; index: number; queued: QueuedMessage } | undefined {
    for (const queue of ['steering', 'followUp'] as const) {
      const index = this.#content[queue].findIndex((queued) => queued.id === id);
      const queued = this.#content[queue][index];
      if (queued) return { queue, index, queued };
    }
    return undefined;
  }
}

function idsOf(messages: readonly QueuedMessage[]): string[] {
  return messages.map(({ id }) => id);
}
