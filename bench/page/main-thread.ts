/** What the page's main thread does while something goes on: its tasks, as the browser's own trace tells them. */
import type { Browser, Page } from 'playwright';

export interface Tasks {
  /** ms of the longest task: as a clock saw it, and what of it the thread really computed. */
  longest: number;
  longestComputed: number;
  /** ms that all tasks together computed. */
  computed: number;
}

interface TraceEvent {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds, as are those that follow. */
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: string };
}

/** The tasks of the page's main thread while `during` goes on. The page must be the only one. */
export async function mainThreadTasks(
  browser: Browser,
  page: Page,
  during: () => Promise<void>,
): Promise<Tasks> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await during();
  const text = (await browser.stopTracing()).toString('utf8');
  const { traceEvents } = JSON.parse(text) as { traceEvents: TraceEvent[] };
  const main = mainThread(traceEvents);
  const tasks = traceEvents.filter(
    ({ name, ph, pid, tid }) =>
      name === 'ThreadControllerImpl::RunTask' && ph === 'X' && `${pid} ${tid}` === main,
  );
  const most = (of: 'dur' | 'tdur') => tasks.reduce((most, task) => Math.max(most, task[of] ?? 0), 0) / 1000;
  return {
    longest: most('dur'),
    longestComputed: most('tdur'),
    computed: tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000,
  };
}

/** Of the renderer that worked most: others are spare. */
function mainThread(events: readonly TraceEvent[]): string | undefined {
  const work = new Map<string, number>();
  for (const { name, ph, pid, tid, args } of events)
    if (name === 'thread_name' && ph === 'M' && args?.name === 'CrRendererMain') work.set(`${pid} ${tid}`, 0);
  for (const { name, pid, tid, dur = 0 } of events) {
    const key = `${pid} ${tid}`;
    if (name === 'ThreadControllerImpl::RunTask' && work.has(key)) work.set(key, (work.get(key) ?? 0) + dur);
  }
  return [...work].sort((a, b) => b[1] - a[1])[0]?.[0];
}
