/** The cards of the queues: no message waits when a page first paints, but for a session that is opened again. */
import { LazyModule } from '../lib/lazy-module.svelte';

export const queueCards = new LazyModule(() => import('./QueueCards.svelte'));
