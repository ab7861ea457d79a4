/** The worker: serves the page that started it. */
import { problemFrom, serve } from './serve';
import type { Wire } from './serve';

const scope = self as unknown as Wire & typeof globalThis & { navigator: { locks?: LockManager } };
const sessions = new BroadcastChannel('epicycle-sessions');

serve(scope, {
  locks: scope.navigator.locks,
  loadSample,
  onSessions: () => sessions.postMessage(undefined),
});
sessions.onmessage = () => scope.postMessage({ type: 'sessions' });

addEventListener('error', (event) => {
  event.preventDefault();
  scope.postMessage({ type: 'failure', problem: problemFrom(event.error ?? new Error(event.message)) });
});
addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  scope.postMessage({ type: 'failure', problem: problemFrom(event.reason) });
});

/** Samples lie beside the page; a built worker is one folder below it. */
async function loadSample(path: string): Promise<Uint8Array> {
  const root = import.meta.env.DEV ? '/' : '../';
  // Not `new URL(…, import.meta.url)`, which the bundler takes for a file of its own.
  const script = import.meta.url;
  const response = await fetch(new URL(`${root}samples/${path}`, script));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
