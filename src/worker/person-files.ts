/** What a person does with the files of a session. Each change is a record, as a tool's is. */
import type { FileProblem, FileToWrite } from '../protocol';
import type { Problem } from '../records/types';
import { problem, ProblemError } from '../store';
import { FileSystemError } from '../tools';
import type { FileSystemErrorCode, VirtualFileSystem } from '../tools';
import { utf8Length } from '../tools/encoding';
import { MAX_FILE_BYTES, MAX_SESSION_BYTES } from '../tools/file-system';
import { foldersAbove } from '../tools/paths';

/** Bytes of UTF-8: what the file systems take to which a person may save the files. */
const maxNameBytes = 255;
const maxPathBytes = 1024;

const codes: Record<FileSystemErrorCode, string> = {
  notFound: 'files.missing',
  isFolder: 'files.isFolder',
  notFolder: 'files.notFolder',
  exists: 'files.exists',
  intoItself: 'files.intoItself',
  invalidName: 'files.badName',
  notText: 'files.notText',
  fileTooLarge: 'files.tooBig',
  sessionTooLarge: 'files.sessionFull',
};

/** Writes a whole file. Throws what `writeFiles` would tell. */
export function writeFile(fs: VirtualFileSystem, { path, content }: FileToWrite, replace: boolean): void {
  const [refused] = writeFiles(fs, [{ path, content }], replace);
  if (refused) throw new ProblemError(refused.problem);
}

/** Writes all of the files, or none and tells what is wrong with which. */
export function writeFiles(
  fs: VirtualFileSystem,
  files: readonly FileToWrite[],
  replace: boolean,
): FileProblem[] {
  const problems = problemsOf(fs, files, replace);
  if (problems.length > 0) return problems;
  for (const { path, content } of files) told(() => fs.writeContent(path, content));
  return [];
}

/** Renames or moves a file or a folder. */
export function renameFile(fs: VirtualFileSystem, from: string, to: string): void {
  told(() => {
    checkPlace(to);
    checkName(fs.resolve(to));
    fs.rename(from, to);
  });
}

/** Removes a file, or a folder with everything in it. */
export function deleteFile(fs: VirtualFileSystem, path: string): void {
  told(() => fs.remove(path));
}

function problemsOf(fs: VirtualFileSystem, files: readonly FileToWrite[], replace: boolean): FileProblem[] {
  const problems: FileProblem[] = [];
  const batch = new Batch(fs, files.length);
  for (const { path, content } of files) {
    try {
      batch.add(path, typeof content === 'string' ? utf8Length(content) : content.length, replace);
    } catch (error) {
      problems.push({ path, problem: problemOf(error) });
    }
  }
  return problems;
}

/** Files that are about to be written: what the file system would say to each, after those before it. */
class Batch {
  private readonly paths = new Set<string>();
  private readonly folders = new Set<string>();
  private bytes: number;

  constructor(
    private readonly fs: VirtualFileSystem,
    private readonly count: number,
  ) {
    this.bytes = fs.totalBytes;
  }

  add(given: string, size: number, replace: boolean): void {
    checkPlace(given);
    const path = this.fs.resolve(given);
    checkName(path);
    const kind = this.fs.kind(path);
    if (kind === 'folder' || this.folders.has(path)) throw problem('files.isFolder', { path });
    const above = foldersAbove(path).slice(1);
    const file = above.find((folder) => this.paths.has(folder) || this.fs.kind(folder) === 'file');
    if (file !== undefined) throw problem('files.notFolder', { path: file });
    if (this.paths.has(path)) throw problem('files.twice', { path });
    if (kind === 'file' && !replace) throw problem('files.exists', { path });
    if (size > MAX_FILE_BYTES) throw problem('files.tooBig', { path, bytes: size, limit: MAX_FILE_BYTES });
    const added = size - (kind === 'file' ? this.fs.size(path) : 0);
    if (this.bytes + added > MAX_SESSION_BYTES)
      throw problem('files.sessionFull', { path, bytes: size, limit: MAX_SESSION_BYTES });
    this.bytes += added;
    if (this.count === 1) return;
    this.paths.add(path);
    for (const folder of above) this.folders.add(folder);
  }
}

/** A person who types `..` would find the file where they did not look for it. */
function checkPlace(given: string): void {
  if (given.split('/').includes('..')) throw problem('files.leadsOut', { path: given });
}

function checkName(path: string): void {
  const names = path.split('/').slice(1);
  if (names.some((name) => utf8Length(name) > maxNameBytes) || utf8Length(path) > maxPathBytes)
    throw problem('files.nameTooLong', { path: path.slice(0, maxNameBytes), limit: maxNameBytes });
}

function told(change: () => void): void {
  try {
    change();
  } catch (error) {
    throw new ProblemError(problemOf(error), { cause: error });
  }
}

function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  if (error instanceof FileSystemError) return { code: codes[error.code], params: error.params };
  throw error;
}
