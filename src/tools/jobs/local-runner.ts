import type { VirtualFileSystem } from '../file-system';
import { installedEngines } from './engines';
import { JobRunner } from './job-runner';
import type { ToolRunner } from './job-runner';

/**
 * Runs jobs in this process, with what its packages have. All of that is loaded when the first job comes. `now` (ms since the
 * epoch) is given when time is not real.
 */
export function localRunner(files: VirtualFileSystem, now?: () => number): ToolRunner {
  let runner: JobRunner | undefined;
  return {
    run: (job, view, context) => {
      runner ??= new JobRunner({
        files,
        ...(now && { now }),
        openHost: async () => {
          const { LocalHost } = await import('./local-host');
          return new LocalHost(installedEngines);
        },
      });
      return runner.run(job, view, context);
    },
  };
}
