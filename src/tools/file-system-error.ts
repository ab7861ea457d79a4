import { displayPath } from './paths';

export type FileSystemErrorCode =
  | 'notFound'
  | 'isFolder'
  | 'notFolder'
  | 'exists'
  | 'intoItself'
  | 'invalidName'
  | 'notText'
  | 'fileTooLarge'
  | 'sessionTooLarge';

/** What the file system refuses: a code with parameters for people's languages, and an English message for models. */
export class FileSystemError extends Error {
  override readonly name = 'FileSystemError';

  constructor(
    readonly code: FileSystemErrorCode,
    readonly params: Record<string, string | number>,
    message: string,
  ) {
    super(message);
  }
}

export function notFound(path: string): FileSystemError {
  return new FileSystemError('notFound', { path }, `${displayPath(path)} does not exist.`);
}

export function isFolder(path: string): FileSystemError {
  return new FileSystemError('isFolder', { path }, `${displayPath(path)} is a folder, not a file.`);
}

export function notFolder(path: string): FileSystemError {
  return new FileSystemError('notFolder', { path }, `${displayPath(path)} is a file, not a folder.`);
}
