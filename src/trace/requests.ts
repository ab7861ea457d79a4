/** What each request carried. Requests are told as changes of the one before; lists that only grow share one array. */
import type { MessageBody } from '../records/types';
import { messageOf, type WholeMessage } from './messages';
import type { RequestNode, Trace } from './types';

export type RequestEntry = string | MessageBody;

/** A stretch of an array that other requests may share. */
interface Stretch {
  entries: RequestEntry[];
  start: number;
  length: number;
}

const known = new WeakMap<Trace, Stretch[]>();

/** Ids of messages, and messages that a hook made for this request. */
export function requestEntries(trace: Trace, request: RequestNode): RequestEntry[] {
  let stretches = known.get(trace);
  if (!stretches) known.set(trace, (stretches = []));
  for (let index = stretches.length; index <= request.index; index++) {
    const change = trace.requests[index];
    if (change) stretches.push(changed(stretches.at(-1), change));
  }
  const { entries, start, length } = stretches[request.index] ?? NOTHING;
  return entries.slice(start, start + length);
}

/** The messages that the request carried, whole. */
export function requestMessages(trace: Trace, request: RequestNode): WholeMessage[] {
  return requestEntries(trace, request).flatMap((entry) =>
    typeof entry === 'string' ? (messageOf(trace, entry) ?? []) : entry,
  );
}

const NOTHING: Stretch = { entries: [], start: 0, length: 0 };

/** Appends in place when what is kept reaches to the array's end; else a new array, so that older requests stay. */
function changed(before: Stretch = NOTHING, { skip, keep, add }: RequestNode): Stretch {
  const start = before.start + Math.min(skip, before.length);
  const kept = Math.min(keep, before.start + before.length - start);
  if (before !== NOTHING && start + kept === before.entries.length) {
    for (const entry of add) before.entries.push(entry);
    return { entries: before.entries, start, length: kept + add.length };
  }
  const entries = [...before.entries.slice(start, start + kept), ...add];
  return { entries, start: 0, length: entries.length };
}
