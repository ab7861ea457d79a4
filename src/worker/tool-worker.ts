/** The tool worker: runs the shell, the sandbox and searches for one session's worker, which may terminate it at any time. */
import { serveJobs } from './tool-runner/serve-jobs';

serveJobs(self, {
  loadShell: () => import('just-bash/browser'),
  loadSandbox: async () => {
    const [core, { default: variant }] = await Promise.all([
      import('quickjs-emscripten-core'),
      import('@jitl/quickjs-wasmfile-release-sync'),
    ]);
    return { core, variant };
  },
});
