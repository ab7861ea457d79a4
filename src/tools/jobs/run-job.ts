import { find } from './find';
import { grep } from './grep';
import type { JobContext, JobOutcome, JobRequest } from './job';
import { joinOutput } from './output';
import { runSandbox } from './sandbox';
import type { SandboxPlace } from './sandbox';
import { runShell } from './shell';
import type { ShellSession } from './shell';
import type { WorkingCopy } from './working-copy';

/** `sleep` takes the place of real time in a shell whose clock is not real. */
export interface JobPlace extends SandboxPlace {
  copy: WorkingCopy;
  sleep?: ShellSession['sleep'];
}

/** Runs one job on a working copy of the files. */
export async function runJob(request: JobRequest, context: JobContext, place: JobPlace): Promise<JobOutcome> {
  const output = joinOutput(context.onOutput);
  try {
    place.copy.update(request.updates);
    return await dispatch(request, { ...context, onOutput: output.add }, place);
  } finally {
    output.flush();
  }
}

async function dispatch(
  { job, shell }: JobRequest,
  context: JobContext,
  { copy, engines, sleep, atTime }: JobPlace,
): Promise<JobOutcome> {
  switch (job.kind) {
    case 'bash': {
      const session: ShellSession = { state: shell, ...(sleep && { sleep }) };
      const { result, state } = await runShell(copy.files, job, session, context, engines);
      return { result, changes: copy.changes(), shell: state };
    }
    case 'js':
      return { result: await runSandbox(job, context, { engines, atTime }), changes: [], shell };
    case 'grep':
      return { result: await grep(copy.files, job, context), changes: [], shell };
    case 'find':
      return { result: await find(copy.files, job, context), changes: [], shell };
    case 'html': {
      const { htmlToText } = await import('./html');
      return { result: { text: htmlToText(job.html, job.baseUrl) }, changes: [], shell };
    }
  }
}
