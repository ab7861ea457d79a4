/** POSIX paths of the virtual file system. */

export const WORKING_DIRECTORY = '/project';

/**
 * The absolute, normal form of a path: no `.`, no `..`, no doubled or final slash. Relative paths start at the
 * working directory; `..` stops at `/`.
 */
export function resolvePath(path: string, workingDirectory: string = WORKING_DIRECTORY): string {
  const names: string[] = [];
  for (const name of (path.startsWith('/') ? path : `${workingDirectory}/${path}`).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return `/${names.join('/')}`;
}

/** A resolved path as texts for models show it: relative inside the working directory, absolute elsewhere. */
export function displayPath(resolved: string): string {
  if (resolved === WORKING_DIRECTORY) return '.';
  const prefix = `${WORKING_DIRECTORY}/`;
  return resolved.startsWith(prefix) ? resolved.slice(prefix.length) : resolved;
}

/** The folders above a resolved path, from `/` down. */
export function foldersAbove(resolved: string): string[] {
  const folders = ['/'];
  for (let slash = resolved.indexOf('/', 1); slash !== -1; slash = resolved.indexOf('/', slash + 1)) {
    folders.push(resolved.slice(0, slash));
  }
  return folders;
}

/** What every path inside a resolved folder starts with. */
export function prefixOf(folder: string): string {
  return folder === '/' ? '/' : `${folder}/`;
}
