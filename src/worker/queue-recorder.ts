import type { QueueChange, QueuedMessage, QueueName } from '../loop/types';
import type { LoopPosition, QueuedBody } from '../records/types';
import type { BlobWriter } from './blob-writer';
import { messageBody } from './bodies';
import type { RecordWriter } from './record-writer';

/** Queues as changes: what was added, what is gone. */
export class QueueRecorder {
  readonly #writer: RecordWriter;
  readonly #blobs: BlobWriter;
  readonly #content: Record<QueueName, readonly QueuedMessage[]> = { steering: [], followUp: [] };

  constructor(writer: RecordWriter, blobs: BlobWriter) {
    this.#writer = writer;
    this.#blobs = blobs;
  }

  /** What is in a queue already, and in the records. */
  know(queue: QueueName, content: readonly QueuedMessage[]): void {
    this.#content[queue] = content;
  }

  /** `on`: where the loop was when a person or scenario did it. */
  change(
    queue: QueueName,
    content: readonly QueuedMessage[],
    why: QueueChange,
    ids: readonly string[],
    on: { on?: LoopPosition },
  ): void {
    const before = this.#content[queue];
    this.#content[queue] = content;
    const reordered = why === 'reorder';
    const add = reordered ? [] : content.flatMap((queued, index) => this.#added(queued, index, ids));
    const remove = ids.filter((id) => isIn(before, id) && !isIn(content, id));
    this.#writer.write({
      type: 'queue',
      queue,
      why,
      ...(add.length > 0 ? { add } : {}),
      ...(remove.length > 0 ? { remove } : {}),
      ...(reordered ? { order: content.map(({ id }) => id) } : {}),
      ...on,
    });
  }

  #added({ id, message }: QueuedMessage, index: number, ids: readonly string[]): QueuedBody[] {
    return ids.includes(id) ? [{ id, message: messageBody(message, { blobs: this.#blobs }), index }] : [];
  }
}

function isIn(content: readonly QueuedMessage[], id: string): boolean {
  return content.some((queued) => queued.id === id);
}
