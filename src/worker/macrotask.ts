/**
 * Runs a callback in a task of its own, once everything that was already resolved has run. Timers would do, but browsers hold
 * nested ones back for 4 ms.
 */
export function macrotask(callback: () => void): void {
  waiting.push(callback);
  channel ??= open();
  (channel.port1 as NodePort).ref?.();
  channel.port2.postMessage(undefined);
}

/** In Node an open port keeps the process alive, so it is let go of while nothing waits. */
type NodePort = MessagePort & { ref?(): void; unref?(): void };

const waiting: (() => void)[] = [];
let channel: MessageChannel | undefined;

function open(): MessageChannel {
  const opened = new MessageChannel();
  opened.port1.onmessage = () => {
    const callback = waiting.shift();
    if (waiting.length === 0) (opened.port1 as NodePort).unref?.();
    callback?.();
  };
  return opened;
}
