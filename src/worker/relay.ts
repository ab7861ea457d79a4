/** Live records from the tab that writes a session to those that show it. */
import type { ClockState } from '../protocol';
import type { TraceRecord } from '../records/types';

type Message =
  | { type: 'records'; records: TraceRecord[] }
  | { type: 'clock'; clock: ClockState }
  /** Whoever shows the session misses what comes after `seq`. */
  | { type: 'since'; seq: number };

/** In Node an open channel keeps the process alive. */
type NodeChannel = BroadcastChannel & { unref?(): void };

function open(session: string, receive: (message: Message) => void): BroadcastChannel {
  const channel: NodeChannel = new BroadcastChannel(`epicycle-session-${session}`);
  channel.onmessage = (event: MessageEvent<Message>) => receive(event.data);
  channel.unref?.();
  return channel;
}

export interface RelayOptions {
  session: string;
  /** What was posted after `seq`. */
  since: (seq: number) => Promise<TraceRecord[]>;
  clock: () => ClockState;
}

/** The writing tab's end. */
export class Relay {
  readonly #channel: BroadcastChannel;

  constructor({ session, since, clock }: RelayOptions) {
    this.#channel = open(session, (message) => {
      if (message.type !== 'since') return;
      this.clock(clock());
      // What cannot be read now is asked for again with the next gap.
      since(message.seq).then(
        (records) => this.records(records),
        () => undefined,
      );
    });
  }

  records(records: TraceRecord[]): void {
    if (records.length > 0) this.#send({ type: 'records', records });
  }

  clock(clock: ClockState): void {
    this.#send({ type: 'clock', clock });
  }

  close(): void {
    this.#channel.close();
    this.#closed = true;
  }

  #closed = false;

  #send(message: Message): void {
    if (!this.#closed) this.#channel.postMessage(message);
  }
}

export interface WatchOptions {
  session: string;
  /** The last record that is known. */
  seq: number;
  records: (records: TraceRecord[]) => void;
  clock: (clock: ClockState) => void;
}

/** A showing tab's end: hands on each record once, in order, without a gap. Returns the function that ends it. */
export function watch({ session, seq, records, clock }: WatchOptions): () => void {
  let known = seq;
  const channel = open(session, (message) => {
    if (message.type === 'clock') clock(message.clock);
    if (message.type !== 'records') return;
    const fresh = message.records.filter((record) => record.seq > known);
    const first = fresh[0];
    if (!first) return;
    if (first.seq > known + 1) {
      channel.postMessage({ type: 'since', seq: known } satisfies Message);
      return;
    }
    known = fresh.at(-1)?.seq ?? known;
    records(fresh);
  });
  channel.postMessage({ type: 'since', seq } satisfies Message);
  return () => channel.close();
}
