/** ms between two pieces of output: often enough for eyes, and seldom enough for what has to carry them. */
const INTERVAL_MS = 50;

/** Joins output that comes in many small pieces. */
export function joinOutput(send: ((text: string) => void) | undefined): {
  add: (text: string) => void;
  flush: () => void;
} {
  let waiting: string[] = [];
  let sentAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting.length === 0) return;
    sentAt = performance.now();
    const text = waiting.join('');
    waiting = [];
    send?.(text);
  };
  const add = (text: string) => {
    waiting.push(text);
    // Work that never lets timers run still shows what it prints.
    if (performance.now() - sentAt >= INTERVAL_MS) flush();
    else timer ??= setTimeout(flush, INTERVAL_MS);
  };
  return { add, flush };
}
