/** What requests sent, asked of the worker when it is looked at, and kept for a while. */
import type { RequestBody } from '../../protocol';
import type { Trace } from '../../trace';

/** The HTTP request whose answer is the message; rejects with a problem. */
export type ReadRequest = (message: string) => Promise<RequestBody>;

const kept = 8;

/** Of the requests that were read last, the same promise each time: what was sent does not change. */
export class RequestBodies {
  /** Of each session's trace, from the one that was used longest ago. */
  readonly #known = new WeakMap<Trace, Map<string, Promise<RequestBody>>>();

  constructor(private readonly readRequest: ReadRequest) {}

  read(trace: Trace, message: string): Promise<RequestBody> {
    let known = this.#known.get(trace);
    if (!known) this.#known.set(trace, (known = new Map<string, Promise<RequestBody>>()));
    const body = known.get(message) ?? this.readRequest(message);
    known.delete(message);
    known.set(message, body);
    const [oldest] = known.keys();
    if (known.size > kept && oldest !== undefined) known.delete(oldest);
    // What failed may work the next time.
    body.catch(() => known.delete(message));
    return body;
  }
}
