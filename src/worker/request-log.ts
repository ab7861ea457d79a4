/** Requests as changes of the request before: a list of a thousand messages is not repeated a thousand times. */
import type { MessageBody } from '../records/types';

export interface RequestChange {
  skip: number;
  keep: number;
  add: (string | MessageBody)[];
}

export class RequestLog {
  /** Ids, and the JSON of messages that a hook made. */
  #previous: string[];

  constructor(previous: readonly (string | MessageBody)[] = []) {
    this.#previous = previous.map(keyOf);
  }

  /** The change to this request's messages from the last one's. */
  next(messages: readonly (string | MessageBody)[]): RequestChange {
    const keys = messages.map(keyOf);
    const { skip, keep } = commonPart(this.#previous, keys);
    this.#previous = keys;
    return { skip, keep, add: messages.slice(keep) };
  }
}

/** An id has no braces, so that no id and no message have the same key. */
function keyOf(message: string | MessageBody): string {
  return typeof message === 'string' ? message : JSON.stringify(message);
}

/** The longest part of `previous`, wherever it begins, that `next` begins with. */
function commonPart(previous: readonly string[], next: readonly string[]): { skip: number; keep: number } {
  let best = { skip: 0, keep: 0 };
  for (let skip = 0; skip < previous.length && previous.length - skip > best.keep; skip++) {
    if (previous[skip] !== next[0]) continue;
    let keep = 0;
    while (keep < next.length && previous[skip + keep] === next[keep] && skip + keep < previous.length)
      keep++;
    if (keep > best.keep) best = { skip, keep };
  }
  return best;
}
