import type { VirtualFileSystem } from '../file-system';
import { displayPath, foldersAbove, prefixOf } from '../paths';
import { deadline } from './deadline';
import { globMatcher } from './globs';
import type { FindJob, FindResult, JobContext } from './job';

/** Files and folders below a folder that a glob means, sorted. */
export async function find(
  files: VirtualFileSystem,
  job: FindJob,
  { signal }: JobContext,
): Promise<FindResult> {
  const isMatch = globMatcher(job.pattern, job.path);
  const pause = deadline(job.timeoutMs, signal);
  const prefix = prefixOf(job.path);
  const paths = files.list(job.path);
  const folders = new Set(
    paths.flatMap(foldersAbove).filter((folder) => folder.startsWith(prefix) && folder !== prefix),
  );
  const found: string[] = [];
  for (const path of [...paths, ...folders]) {
    const pausing = pause();
    if (pausing) await pausing;
    if (isMatch(path)) found.push(folders.has(path) ? `${displayPath(path)}/` : displayPath(path));
  }
  found.sort();
  return { paths: found.slice(0, job.limit), count: found.length };
}
