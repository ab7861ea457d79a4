import { fileURLToPath, pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build } from 'vite';
import type { FromToolWorker, ToToolWorker } from './messages';
import type { ToolWorker } from './worker-host';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const outDir = '.cache/tool-worker';

/** Builds the tool worker so that Node can run it. */
export async function buildToolWorker(): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    build: { ssr: 'src/worker/tool-worker.ts', outDir, emptyOutDir: true, target: 'node20' },
  });
}

/** What a web worker's scope has, in a thread of Node. */
const scope = `
  const { parentPort, workerData } = require('node:worker_threads');
  globalThis.self = globalThis;
  globalThis.postMessage = (message) => parentPort.postMessage(message);
  globalThis.addEventListener = (_type, listener) => parentPort.on('message', (data) => listener({ data }));
  import(workerData);
`;

export interface TestWorker extends ToolWorker {
  /** What was sent to it, in order. */
  sent: ToToolWorker[];
  /** What came from it, in order. */
  received: FromToolWorker[];
  terminated: boolean;
}

/** The built tool worker in a thread. */
export function threadWorker(): TestWorker {
  const script = pathToFileURL(`${root}/${outDir}/tool-worker.js`).href;
  const thread = new Worker(scope, { eval: true, workerData: script });
  const worker: TestWorker = {
    sent: [],
    received: [],
    terminated: false,
    postMessage: (message) => {
      worker.sent.push(message);
      thread.postMessage(message);
    },
    terminate: () => {
      worker.terminated = true;
      void thread.terminate();
    },
    addEventListener: (type, listener) => {
      thread.on(type, (data: unknown) =>
        listener((type === 'message' ? { data } : { message: String(data) }) as unknown as Event),
      );
    },
  };
  thread.on('message', (message: FromToolWorker) => worker.received.push(message));
  return worker;
}
