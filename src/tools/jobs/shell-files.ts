import type { IFileSystem, InMemoryFs } from 'just-bash/browser';
import type { VirtualFileSystem } from '../file-system';
import { foldersAbove, prefixOf, resolvePath } from '../paths';
import type { ShellState } from './job';
import { isUtf8, isUtf8Encoding, ShellEncodings, withErrno } from './shell-content';
import type { ShellContent } from './shell-content';

type Method<Name extends keyof IFileSystem> = NonNullable<IFileSystem[Name]> &
  ((...args: never[]) => unknown);
type Stat = Awaited<ReturnType<IFileSystem['stat']>>;
type Kind = 'file' | 'folder';

/** Where the shell writes what a terminal would show. */
export const TERMINAL = '/dev/tty';

/**
 * The files of a session as the shell's file system: all of them, from `/` on, so it is no mount. What the shell
 * brings along (`/bin`, `/dev`, `/proc`) is in `system`, below the session's files. Folders may be empty here.
 */
export class ShellFiles implements IFileSystem {
  private readonly folders: Set<string>;
  private readonly modes: Map<string, number>;
  private readonly times = new Map<string, Date>();
  private readonly startedAt = new Date();
  private readonly encodings: ShellEncodings;

  constructor(
    private readonly files: VirtualFileSystem,
    private readonly system: InMemoryFs,
    state: ShellState,
    private readonly toTerminal: (text: string) => void,
  ) {
    this.folders = new Set(state.folders);
    this.modes = new Map(Object.entries(state.modes));
    this.encodings = new ShellEncodings(system);
    system.writeFileSync(TERMINAL, '');
  }

  /** What is worth knowing in the next job. */
  state(): ShellState {
    return {
      folders: [...this.folders].filter((path) => !this.files.exists(path)),
      modes: Object.fromEntries([...this.modes].filter(([path]) => this.files.exists(path))),
    };
  }

  /** The shell fills `/bin`, `/dev` and `/proc` with these. */
  mkdirSync(path: string, options?: { recursive?: boolean }): void {
    this.system.mkdirSync(path, options);
  }

  writeFileSync(path: string, content: ShellContent): void {
    this.system.writeFileSync(path, content);
  }

  readFile: Method<'readFile'> = (path, options) =>
    withErrno(async () => {
      const target = await this.fileAt(path);
      if (target.in === this.system) return this.system.readFile(target.path, options);
      const content = this.files.readContent(target.path);
      if (typeof content === 'string' && isUtf8Encoding(options)) return content;
      return this.encodings.read(this.files.readBytes(target.path), options);
    });

  readFileBytes: Method<'readFileBytes'> = (path) =>
    withErrno(async () => {
      const target = await this.fileAt(path);
      return target.in === this.system
        ? this.system.readFileBytes(target.path)
        : this.encodings.readBytes(this.files.readBytes(target.path));
    });

  readFileBuffer: Method<'readFileBuffer'> = (path) =>
    withErrno(async () => {
      const target = await this.fileAt(path);
      return target.in === this.system
        ? this.system.readFileBuffer(target.path)
        : this.files.readBytes(target.path);
    });

  writeFile: Method<'writeFile'> = (path, content, options) =>
    withErrno(async () => {
      const resolved = this.at(path);
      if (resolved === TERMINAL) return this.toTerminal(await this.encodings.toText(content, options));
      if (isDevice(resolved)) return this.system.writeFile(resolved, content, options);
      // Folders that are missing come to be, as in the shell's own file system: its redirections bear no error here.
      this.put(resolved, isUtf8(content, options) ? content : await this.encodings.toBytes(content, options));
    });

  appendFile: Method<'appendFile'> = (path, content, options) =>
    withErrno(async () => {
      const resolved = this.at(path);
      if (resolved === TERMINAL || isDevice(resolved) || !this.files.exists(resolved))
        return this.writeFile(path, content, options);
      const before = this.files.readContent(resolved);
      if (typeof before === 'string' && isUtf8(content, options)) return this.put(resolved, before + content);
      const start = this.files.readBytes(resolved);
      const end = await this.encodings.toBytes(content, options);
      const joined = new Uint8Array(start.length + end.length);
      joined.set(start);
      joined.set(end, start.length);
      this.put(resolved, joined);
    });

  exists: Method<'exists'> = async (path) =>
    !path.includes('\0') && (await this.kindAt(this.at(path))) !== undefined;

  stat: Method<'stat'> = (path) =>
    withErrno(async (): Promise<Stat> => {
      const resolved = this.at(path);
      const kind = this.ownKind(resolved);
      if (!kind) return this.system.stat(resolved);
      return {
        isFile: kind === 'file',
        isDirectory: kind === 'folder',
        isSymbolicLink: false,
        mode: this.modes.get(resolved) ?? (kind === 'file' ? 0o644 : 0o755),
        size: kind === 'file' ? this.files.size(resolved) : 0,
        mtime: this.times.get(resolved) ?? this.startedAt,
        identity: resolved,
      };
    });

  lstat: Method<'lstat'> = (path) => this.stat(path);

  realpath: Method<'realpath'> = (path) =>
    withErrno(async () => {
      const resolved = this.at(path);
      await this.stat(resolved);
      return resolved;
    });

  mkdir: Method<'mkdir'> = (path, options) =>
    withErrno(async () => {
      const resolved = this.at(path);
      const kind = await this.kindAt(resolved);
      if (kind === 'folder' && options?.recursive) return;
      if (kind) throw new Error(`EEXIST: file already exists, mkdir '${path}'`);
      if (!options?.recursive) await this.needFolder(parentOf(resolved));
      for (const folder of [...foldersAbove(resolved), resolved]) {
        const above = await this.kindAt(folder);
        if (above === 'file') throw new Error(`ENOTDIR: not a directory, mkdir '${path}'`);
        if (!above) this.folders.add(folder);
      }
    });

  readdir: Method<'readdir'> = async (path) =>
    (await this.readdirWithFileTypes(path)).map(({ name }) => name);

  readdirWithFileTypes: Method<'readdirWithFileTypes'> = (path) =>
    withErrno(async () => {
      const resolved = this.at(path);
      const kind = await this.kindAt(resolved);
      if (!kind) throw new Error(`ENOENT: no such file or directory, scandir '${path}'`);
      if (kind === 'file') throw new Error(`ENOTDIR: not a directory, scandir '${path}'`);
      const names = new Map<string, Kind>();
      if (await this.system.exists(resolved))
        for (const { name, isDirectory } of await this.system.readdirWithFileTypes(resolved))
          names.set(name, isDirectory ? 'folder' : 'file');
      const prefix = prefixOf(resolved);
      for (const folder of this.folders)
        if (folder.startsWith(prefix)) names.set(folder.slice(prefix.length).split('/')[0] ?? '', 'folder');
      if (this.files.kind(resolved) === 'folder')
        for (const entry of this.files.entries(resolved)) names.set(entry.name, entry.kind);
      return [...names]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, is]) => ({
          name,
          isFile: is === 'file',
          isDirectory: is === 'folder',
          isSymbolicLink: false,
        }));
    });

  rm: Method<'rm'> = (path, options) =>
    withErrno(async () => {
      const resolved = this.at(path);
      const kind = this.ownKind(resolved);
      if (!kind) return this.system.rm(resolved, options);
      const isFull = kind === 'folder' && (await this.readdir(resolved)).length > 0;
      if (isFull && !options?.recursive) throw new Error(`ENOTEMPTY: directory not empty, rm '${path}'`);
      this.drop(resolved);
    });

  cp: Method<'cp'> = (source, target, options) =>
    withErrno(async () => {
      const [from, to] = [this.at(source), this.at(target)];
      if ((await this.kindAt(from)) !== 'folder') return this.writeFile(to, await this.readFileBuffer(from));
      if (!options?.recursive) throw new Error(`EISDIR: is a directory, cp '${source}'`);
      if (`${to}/`.startsWith(prefixOf(from)))
        throw new Error(`EINVAL: cannot copy '${source}' into itself, '${target}'`);
      await this.mkdir(to, { recursive: true });
      for (const name of await this.readdir(from)) await this.cp(`${from}/${name}`, `${to}/${name}`, options);
    });

  mv: Method<'mv'> = (source, target) =>
    withErrno(async () => {
      const [from, to] = [this.at(source), this.at(target)];
      if (from === to) return;
      if (to.startsWith(prefixOf(from)))
        throw new Error(`EINVAL: cannot move '${source}' into itself, '${target}'`);
      await this.cp(from, to, { recursive: true });
      this.drop(from);
    });

  chmod: Method<'chmod'> = (path, mode) =>
    withErrno(async () => {
      await this.stat(path);
      this.modes.set(this.at(path), mode);
    });

  utimes: Method<'utimes'> = (path, _accessed, modified) =>
    withErrno(async () => {
      await this.stat(path);
      this.times.set(this.at(path), modified);
    });

  /** A copy: files have one name. */
  link: Method<'link'> = (existing, path) =>
    withErrno(async () => {
      if (await this.exists(path)) throw new Error(`EEXIST: file already exists, link '${path}'`);
      await this.cp(existing, path);
    });

  symlink: Method<'symlink'> = (_target, path) =>
    Promise.reject(new Error(`EPERM: there are no symbolic links here, symlink '${path}'`));

  readlink: Method<'readlink'> = (path) =>
    Promise.reject(new Error(`EINVAL: invalid argument, readlink '${path}'`));

  resolvePath: Method<'resolvePath'> = (base, path) => resolvePath(path, base);

  getAllPaths: Method<'getAllPaths'> = () => {
    const files = this.files.list();
    return [
      ...new Set([...this.system.getAllPaths(), ...files.flatMap(foldersAbove), ...this.folders, ...files]),
    ];
  };

  private at(path: string): string {
    return this.files.resolve(resolvePath(path, '/'));
  }

  private ownKind(resolved: string): Kind | undefined {
    return this.files.kind(resolved) ?? (this.folders.has(resolved) ? 'folder' : undefined);
  }

  private async kindAt(resolved: string): Promise<Kind | undefined> {
    const own = this.ownKind(resolved);
    if (own || !(await this.system.exists(resolved))) return own;
    return (await this.system.stat(resolved)).isDirectory ? 'folder' : 'file';
  }

  /** Which file a path means; the file systems say what is wrong with a path that means none. */
  private async fileAt(path: string): Promise<{ in: VirtualFileSystem | InMemoryFs; path: string }> {
    const resolved = this.at(path);
    const isOwn = this.files.kind(resolved) === 'file';
    if (!isOwn && (await this.kindAt(resolved)) === 'folder')
      throw new Error(`EISDIR: illegal operation on a directory, read '${path}'`);
    return { in: isOwn ? this.files : this.system, path: resolved };
  }

  private async needFolder(path: string): Promise<void> {
    const kind = await this.kindAt(path);
    if (!kind) throw new Error(`ENOENT: no such file or directory, open '${path}'`);
    if (kind === 'file') throw new Error(`ENOTDIR: not a directory, open '${path}'`);
  }

  private put(resolved: string, content: string | Uint8Array): void {
    if (this.ownKind(resolved) === 'folder')
      throw new Error(`EISDIR: illegal operation on a directory, open '${resolved}'`);
    this.files.writeContent(resolved, content);
    this.times.set(resolved, new Date());
  }

  /** Removes what is there; the folder it was in stays, though it may be empty now. */
  private drop(resolved: string): void {
    const parent = parentOf(resolved);
    if (this.files.exists(resolved)) this.files.remove(resolved);
    for (const folder of this.folders)
      if (`${folder}/`.startsWith(`${resolved}/`)) this.folders.delete(folder);
    if (!this.ownKind(parent)) this.folders.add(parent);
  }
}

const parentOf = (resolved: string) => foldersAbove(resolved).at(-1) ?? '/';

const isDevice = (resolved: string) => resolved.startsWith('/dev/') || resolved.startsWith('/proc/');
