/** The worker: serves the page that started it. */
import { problemFrom, serve } from './serve';
import type { Wire } from './serve';
import { createWorkerRunner } from './tool-runner';

const scope = self as unknown as Wire & typeof globalThis & { navigator: { locks?: LockManager } };
/** Samples lie beside the page; a built worker is one folder below it. */
const samplesUrl = absoluteUrl(import.meta.env.DEV ? '/samples/' : '../samples/');
const sessions = new BroadcastChannel('epicycle-sessions');

serve(scope, {
  locks: scope.navigator.locks,
  loadSample,
  openRunner: createWorkerRunner,
  samplesUrl,
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

async function loadSample(path: string): Promise<Uint8Array> {
  const response = await fetch(new URL(path, samplesUrl));
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** Not `new URL(…, import.meta.url)`, which the bundler takes for a file of its own. */
function absoluteUrl(path: string): string {
  const script = import.meta.url;
  return new URL(path, script).href;
}
