/** Short names for shapes that records and traces speak of. */
import type { SessionConfig } from '../../records/types';
import type { QueueItem } from '../../trace';

export type QueueName = QueueItem['queue'];
export type QueueMode = NonNullable<SessionConfig['steeringMode']>;
export type ThinkingLevel = NonNullable<SessionConfig['thinkingLevel']>;
export type { HookRule } from '../../records/types';
