import { decodeText, encodeText, formatBytes, utf8Length, wellFormed } from './encoding';
import { FileSystemError, isFolder, notFolder, notFound } from './file-system-error';
import { displayPath, foldersAbove, prefixOf, resolvePath, WORKING_DIRECTORY } from './paths';
import { TaskQueues } from './task-queues';

export const MAX_FILE_BYTES = 10 * 1024 * 1024;
export const MAX_SESSION_BYTES = 100 * 1024 * 1024;

/** Text is kept as a string whichever way it was written, so bytes are no UTF-8 text. */
export type FileContent = string | Uint8Array;

/** `before` is absent for a new file, `after` for a removed one. The contents are shared: do not change bytes. */
export interface FileChange {
  path: string;
  before?: FileContent;
  after?: FileContent;
}

export interface FolderEntry {
  name: string;
  kind: 'file' | 'folder';
}

interface StoredFile {
  content: FileContent;
  bytes: number;
}

/**
 * The files of a session, in memory. Paths are POSIX; relative ones start at `/project`. Folders exist through the files
 * in them; `/` and `/project` always do. What is refused throws a `FileSystemError`, and nothing has changed then.
 */
export class VirtualFileSystem {
  private readonly files = new Map<string, StoredFile>();
  /** How many files are under each folder, at any depth. */
  private readonly folders = new Map<string, number>();
  private readonly listeners = new Set<(change: FileChange) => void>();
  private readonly queues = new TaskQueues();
  private bytes = 0;

  constructor(files: Record<string, string | Uint8Array> = {}) {
    for (const [path, content] of Object.entries(files)) this.writeContent(path, content);
  }

  /** Bytes of all files together, as UTF-8. */
  get totalBytes(): number {
    return this.bytes;
  }

  /** The absolute form of a path. Throws `invalidName` for a NUL or half a surrogate pair. */
  resolve(path: string): string {
    if (/[\0\p{Surrogate}]/u.test(path)) {
      const name = wellFormed(path).replaceAll('\0', '\ufffd');
      throw new FileSystemError(
        'invalidName',
        { path: name },
        `${name} is no valid path: it has a character that no name may have.`,
      );
    }
    return resolvePath(path);
  }

  /** The text of a file, a BOM included. Throws `notText` when its bytes are something else. */
  readText(path: string): string {
    const { resolved, content } = this.file(path);
    if (typeof content === 'string') return content;
    throw new FileSystemError('notText', { path: resolved }, `${displayPath(resolved)} is not UTF-8 text.`);
  }

  /** What a file holds, as it is kept: bytes are shared, so do not change them. */
  readContent(path: string): FileContent {
    return this.file(path).content;
  }

  /** A copy of the bytes of a file. */
  readBytes(path: string): Uint8Array {
    const { content } = this.file(path);
    return typeof content === 'string' ? encodeText(content) : content.slice();
  }

  /** Whether the file is text: valid UTF-8 without NUL. */
  isText(path: string): boolean {
    const { content } = this.file(path);
    return typeof content === 'string' && !content.includes('\0');
  }

  /** Bytes of a file, as UTF-8. */
  size(path: string): number {
    return this.file(path).bytes;
  }

  /** Writes a whole file and the folders above it. Lone surrogates become U+FFFD. */
  writeText(path: string, text: string): void {
    const content = wellFormed(text);
    this.put(this.resolve(path), { content, bytes: utf8Length(content) });
  }

  /** Writes a copy of the bytes. */
  writeBytes(path: string, bytes: Uint8Array): void {
    const resolved = this.resolve(path);
    this.checkFileSize(resolved, bytes.length);
    this.put(resolved, { content: decodeText(bytes) ?? bytes.slice(), bytes: bytes.length });
  }

  /** Writes text or bytes, whichever the content is. */
  writeContent(path: string, content: FileContent): void {
    if (typeof content === 'string') this.writeText(path, content);
    else this.writeBytes(path, content);
  }

  /** Absolute paths of all files in a folder at any depth, sorted. */
  list(folder = '/'): string[] {
    const resolved = this.resolve(folder);
    const prefix = prefixOf(resolved);
    return [...this.files.keys()].filter((path) => path.startsWith(prefix)).sort();
  }

  /** What is directly in a folder, sorted by name. */
  entries(folder: string): FolderEntry[] {
    const resolved = this.resolve(folder);
    if (this.files.has(resolved)) throw notFolder(resolved);
    if (!this.isFolder(resolved)) throw notFound(resolved);
    const start = prefixOf(resolved).length;
    const entries = new Map<string, FolderEntry>();
    for (const path of this.list(resolved)) {
      const slash = path.indexOf('/', start);
      const name = slash === -1 ? path.slice(start) : path.slice(start, slash);
      entries.set(name, { name, kind: slash === -1 ? 'file' : 'folder' });
    }
    if (resolved === '/')
      entries.set(WORKING_DIRECTORY.slice(1), { name: WORKING_DIRECTORY.slice(1), kind: 'folder' });
    return [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** What is at a path; `undefined` when there is nothing. */
  kind(path: string): 'file' | 'folder' | undefined {
    const resolved = this.resolve(path);
    if (this.files.has(resolved)) return 'file';
    return this.isFolder(resolved) ? 'folder' : undefined;
  }

  exists(path: string): boolean {
    return this.kind(path) !== undefined;
  }

  /** Removes a file, or a folder with everything in it. */
  remove(path: string): void {
    const resolved = this.resolve(path);
    if (!this.exists(resolved)) throw notFound(resolved);
    for (const file of this.filesAt(resolved)) this.put(file, undefined);
  }

  /** Renames a file or a folder. Listeners get a removal and a new file for each. An existing target is refused. */
  rename(from: string, to: string): void {
    const source = this.resolve(from);
    const target = this.resolve(to);
    if (!this.exists(source)) throw notFound(source);
    if (target === source) return;
    if (target.startsWith(prefixOf(source))) {
      throw new FileSystemError(
        'intoItself',
        { path: source, target },
        `${displayPath(source)} cannot be moved into itself.`,
      );
    }
    if (this.exists(target)) {
      throw new FileSystemError('exists', { path: target }, `${displayPath(target)} already exists.`);
    }
    this.checkFoldersAbove(target);
    for (const path of this.filesAt(source)) {
      const file = this.files.get(path);
      this.put(path, undefined);
      this.put(target + path.slice(source.length), file);
    }
  }

  /** Calls `listener` after every change, until the returned function is called. */
  onChange(listener: (change: FileChange) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Runs tasks on one path one after the other, in the order of the calls; tasks on different paths do not wait for each
   * other. A task that fails does not stop the next one.
   */
  async runExclusive<T>(path: string, task: () => T | Promise<T>): Promise<T> {
    return this.queues.run(this.resolve(path), task);
  }

  private file(path: string): StoredFile & { resolved: string } {
    const resolved = this.resolve(path);
    const file = this.files.get(resolved);
    if (file) return { ...file, resolved };
    throw this.isFolder(resolved) ? isFolder(resolved) : notFound(resolved);
  }

  private isFolder(resolved: string): boolean {
    return resolved === '/' || resolved === WORKING_DIRECTORY || this.folders.has(resolved);
  }

  private filesAt(resolved: string): string[] {
    return this.files.has(resolved) ? [resolved] : this.list(resolved);
  }

  private put(path: string, file: StoredFile | undefined): void {
    const previous = this.files.get(path);
    if (file) this.checkWrite(path, file.bytes, previous?.bytes ?? 0);
    if (file && previous && sameContent(file.content, previous.content)) return;
    if (file) this.files.set(path, file);
    else this.files.delete(path);
    this.bytes += (file?.bytes ?? 0) - (previous?.bytes ?? 0);
    const added = (file ? 1 : 0) - (previous ? 1 : 0);
    for (const folder of foldersAbove(path)) {
      const count = (this.folders.get(folder) ?? 0) + added;
      if (count > 0) this.folders.set(folder, count);
      else this.folders.delete(folder);
    }
    const change: FileChange = {
      path,
      ...(previous && { before: previous.content }),
      ...(file && { after: file.content }),
    };
    for (const listener of this.listeners) listener(change);
  }

  private checkWrite(path: string, bytes: number, previousBytes: number): void {
    if (this.isFolder(path)) throw isFolder(path);
    this.checkFoldersAbove(path);
    this.checkFileSize(path, bytes);
    if (this.bytes + bytes - previousBytes > MAX_SESSION_BYTES) {
      throw new FileSystemError(
        'sessionTooLarge',
        { path, bytes, limit: MAX_SESSION_BYTES },
        `${displayPath(path)} (${formatBytes(bytes)}) does not fit: all files of a session together may have ` +
          `${formatBytes(MAX_SESSION_BYTES)}, and ${formatBytes(this.bytes - previousBytes)} are in use.`,
      );
    }
  }

  private checkFileSize(path: string, bytes: number): void {
    if (bytes <= MAX_FILE_BYTES) return;
    throw new FileSystemError(
      'fileTooLarge',
      { path, bytes, limit: MAX_FILE_BYTES },
      `${displayPath(path)} would have ${formatBytes(bytes)}: a file may have ${formatBytes(MAX_FILE_BYTES)} at most.`,
    );
  }

  private checkFoldersAbove(path: string): void {
    const file = foldersAbove(path).find((folder) => this.files.has(folder));
    if (file !== undefined) throw notFolder(file);
  }
}

export function sameContent(a: FileContent | undefined, b: FileContent | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b;
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
