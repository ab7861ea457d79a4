/** Stamps records with their sequence number and time, and joins deltas. */
import type { RecordBody, RecordOf, TraceRecord } from '../records/types';
import type { Clock } from './clock';

/** How long deltas of one block are joined, in ms of the session's clock: a frame. */
const windowMs = 16;
/**
 * Text that comes faster than anybody reads (more than this in a frame) is joined for longer, so that what is posted
 * and stored of a long answer stays under twice its length.
 */
const fastCharacters = 32;
const fastWindowMs = 96;

export type Delta = Pick<RecordOf<'message_update'>, 'message' | 'index' | 'event'> & { delta: string };

export interface RecordWriterOptions {
  clock: Clock;
  /** Gets each record once, in order. */
  sink: (record: TraceRecord) => void;
  /** The last record that there is already. */
  after?: { seq: number; at: number };
}

interface OpenWindow extends Pick<Delta, 'message' | 'index' | 'event'> {
  at: number;
  parts: string[];
  characters: number;
  close: () => void;
}

export class RecordWriter {
  readonly #clock: Clock;
  readonly #sink: (record: TraceRecord) => void;
  #seq: number;
  #at: number;
  #window: OpenWindow | undefined;

  constructor({ clock, sink, after = { seq: 0, at: 0 } }: RecordWriterOptions) {
    this.#clock = clock;
    this.#sink = sink;
    this.#seq = after.seq;
    this.#at = after.at;
  }

  get seq(): number {
    return this.#seq;
  }

  /** Time of the last record. */
  get at(): number {
    return this.#at;
  }

  write(body: RecordBody): void {
    this.flush();
    this.#stamp(body, this.#clock.now());
  }

  /**
   * Writes a delta, joined with those of the same block in the same window. The window ends with its time, by a timer of the
   * session's clock, or with any other record: so joining depends on nothing but that clock.
   */
  delta({ message, index, event, delta }: Delta): void {
    const open = this.#window;
    if (open?.message === message && open.index === index && open.event === event) {
      open.parts.push(delta);
      open.characters += delta.length;
      return;
    }
    this.flush();
    const close = this.#clock.setTimer(windowMs, () => this.#endOfFrame());
    const at = this.#clock.now();
    this.#window = { message, index, event, at, parts: [delta], characters: delta.length, close };
  }

  #endOfFrame(): void {
    const open = this.#window;
    if (!open || open.characters <= fastCharacters) return this.flush();
    open.close = this.#clock.setTimer(fastWindowMs - windowMs, () => this.flush());
  }

  /** Writes what is being joined. */
  flush(): void {
    const open = this.#window;
    if (!open) return;
    this.#window = undefined;
    open.close();
    const { message, index, event, at, parts } = open;
    const joined = parts.length > 1 ? { joined: parts.length } : {};
    this.#stamp({ type: 'message_update', message, index, event, delta: parts.join(''), ...joined }, at);
  }

  #stamp(body: RecordBody, at: number): void {
    this.#at = Math.max(this.#at, at);
    this.#sink({ seq: ++this.#seq, at: this.#at, ...body });
  }
}
