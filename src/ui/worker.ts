/** Starts the worker. The one place that knows its URL. */
import workerUrl from '../worker/main.ts?worker&url';

// The page's policy lets scripts come only from addresses that are said to be ours.
const { trustedTypes } = globalThis as {
  trustedTypes?: {
    createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => typeof rules;
  };
};
const policy = trustedTypes?.createPolicy('epicycle', { createScriptURL: (url) => url });

/**
 * A worker loaded from the network ignores the page's `<meta>` Content-Security-Policy; a `blob:` module worker inherits
 * it, so the blob imports the real script. It then holds a Web Lock for as long as it lives: a worker that goes away
 * without a word (a crash, out of memory) is noticed by getting that lock, and told as an `error` event.
 */
export function spawnWorker(): Worker {
  const url = new URL(workerUrl, import.meta.env.DEV ? location.origin : import.meta.url).href;
  if (import.meta.env.DEV) return new Worker(url, { type: 'module', name: 'agent' });
  const lock = `epicycle-worker-${crypto.randomUUID()}`;
  const hold = `navigator.locks?.request(${JSON.stringify(lock)}, () => { postMessage(${JSON.stringify(lock)}); return new Promise(() => {}); });`;
  const boot = new Blob([`import ${JSON.stringify(url)};\n${hold}`], { type: 'text/javascript' });
  const address = URL.createObjectURL(boot);
  const worker = new Worker(policy?.createScriptURL(address) ?? address, { type: 'module', name: 'agent' });
  worker.addEventListener('message', function held(event: MessageEvent) {
    if (event.data !== lock) return;
    event.stopImmediatePropagation();
    worker.removeEventListener('message', held);
    void navigator.locks.request(lock, () => worker.dispatchEvent(new Event('error')));
  });
  return worker;
}
