/** Starts a tool worker. The one place that knows its URL. */
import workerUrl from '../tool-worker.ts?worker&url';
import type { ToolWorker } from './worker-host';

// The page's policy reaches this worker too: scripts come only from addresses that are said to be ours.
const { trustedTypes } = globalThis as {
  trustedTypes?: {
    createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => typeof rules;
  };
};
const policy = trustedTypes?.createPolicy('epicycle', { createScriptURL: (url) => url });

/** Through a `blob:`, so that it inherits the page's Content-Security-Policy: what the sandbox runs may reach no more. */
export function spawnToolWorker(): ToolWorker {
  const url = new URL(workerUrl, import.meta.env.DEV ? self.location.origin : import.meta.url).href;
  if (import.meta.env.DEV) return start(url);
  const boot = new Blob([`import ${JSON.stringify(url)};`], { type: 'text/javascript' });
  const address = URL.createObjectURL(boot);
  return start(address);
}

function start(address: string): ToolWorker {
  return new Worker(policy?.createScriptURL(address) ?? address, { type: 'module', name: 'tools' });
}
