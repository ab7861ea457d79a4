import { JobStopped } from './job';

const SLICE_MS = 20;

/** Called between pieces of long work: throws at the limit of time or on abort, and now and then lets others work. */
export function deadline(
  timeoutMs: number,
  signal: AbortSignal | undefined,
): () => Promise<void> | undefined {
  const end = performance.now() + timeoutMs;
  let sliceEnd = performance.now() + SLICE_MS;
  return () => {
    const now = performance.now();
    if (now > end) throw new JobStopped('time');
    if (now < sliceEnd) return undefined;
    sliceEnd = now + SLICE_MS;
    return new Promise((resolve) => setTimeout(resolve)).then(() => {
      signal?.throwIfAborted();
      sliceEnd = performance.now() + SLICE_MS;
    });
  };
}
