import type { QueueMode, QueueName } from '../lib/types';

/** What a person can do with what is queued. */
export interface QueueActions {
  setMode: (queue: QueueName, mode: QueueMode) => void;
  edit: (item: string, text: string) => void;
  move: (item: string, to: QueueName) => void;
  remove: (item: string) => void;
}
