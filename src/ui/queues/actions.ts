import type { QueueMode, QueueName } from '../lib/types';

/** What a person can do with what is queued. */
export interface QueueActions {
  setMode: (queue: QueueName, mode: QueueMode) => void;
  /** What its card is being edited to; `undefined` while nobody edits it. */
  draftOf: (item: string) => string | undefined;
  /** Begins an edit or carries it on; `undefined` gives it up. */
  setDraft: (item: string, text: string | undefined) => void;
  edit: (item: string, text: string) => void;
  /** To a place in a queue, also in its own; to the end without one. Resolves to whether it was still there. */
  move: (item: string, to: QueueName, index?: number) => Promise<boolean>;
  remove: (item: string) => void;
  /** Goes on with it, where no run takes it. */
  sendNow: (item: string) => void;
  /** Shows it in the inspector. */
  select: (item: string) => void;
}
