import { Minimatch } from 'minimatch';
import { prefixOf } from '../paths';

/**
 * Whether a glob means a path in `folder` (both resolved). A pattern without a slash is one of names, at any depth; with one
 * it is of paths from `folder` on, or of absolute paths when it starts with a slash.
 */
export function globMatcher(pattern: string, folder: string): (path: string) => boolean {
  const trimmed = pattern.replace(/^(?:\.\/)+/, '').replace(/(?!^)\/+$/, '');
  const glob = new Minimatch(trimmed, {
    dot: true,
    matchBase: true,
    nocomment: true,
    nonegate: true,
    braceExpandMax: 1000,
  });
  const start = trimmed.startsWith('/') ? 0 : prefixOf(folder).length;
  return (path) => glob.match(path.slice(start));
}
