import type { IFileSystem, InMemoryFs } from 'just-bash/browser';
import { decodeText } from '../encoding';
import { FileSystemError } from '../file-system-error';
import type { FileSystemErrorCode } from '../file-system-error';

export type ShellContent = Parameters<IFileSystem['writeFile']>[1];
export type ShellEncoding = Parameters<IFileSystem['writeFile']>[2];

/** Where the shell's own file system translates. */
const SCRATCH = '/proc/epicycle-scratch';

/** What commands read and write, in the encodings they ask for; the shell's own file system knows them all. */
export class ShellEncodings {
  constructor(private readonly system: InMemoryFs) {}

  read(bytes: Uint8Array, options: Parameters<IFileSystem['readFile']>[1]): Promise<string> {
    this.system.writeFileSync(SCRATCH, bytes);
    return this.system.readFile(SCRATCH, options);
  }

  readBytes(bytes: Uint8Array): ReturnType<InMemoryFs['readFileBytes']> {
    this.system.writeFileSync(SCRATCH, bytes);
    return this.system.readFileBytes(SCRATCH);
  }

  async toBytes(content: ShellContent, options: ShellEncoding): Promise<Uint8Array> {
    if (content instanceof Uint8Array) return content;
    this.system.writeFileSync(SCRATCH, content, options);
    return this.system.readFileBuffer(SCRATCH);
  }

  async toText(content: ShellContent, options: ShellEncoding): Promise<string> {
    if (isUtf8(content, options)) return content;
    const bytes = await this.toBytes(content, options);
    return decodeText(bytes) ?? new TextDecoder().decode(bytes);
  }
}

export function isUtf8(content: ShellContent, options: ShellEncoding): content is string {
  return typeof content === 'string' && isUtf8Encoding(options);
}

export function isUtf8Encoding(options: Parameters<IFileSystem['readFile']>[1]): boolean {
  const encoding = (typeof options === 'object' ? options.encoding : options) ?? 'utf8';
  return encoding.replace('-', '') === 'utf8';
}

const ERRNO: Record<FileSystemErrorCode, string> = {
  notFound: 'ENOENT: no such file or directory',
  isFolder: 'EISDIR: illegal operation on a directory',
  notFolder: 'ENOTDIR: not a directory',
  exists: 'EEXIST: file already exists',
  intoItself: 'EINVAL: invalid argument',
  invalidName: 'EINVAL: invalid argument',
  notText: 'EINVAL: invalid argument',
  fileTooLarge: 'EFBIG: file too large',
  sessionTooLarge: 'ENOSPC: no space left on device',
};

/** Errors as the shell's commands know them. */
export async function withErrno<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    throw error instanceof FileSystemError ? new Error(`${ERRNO[error.code]}: ${error.message}`) : error;
  }
}
