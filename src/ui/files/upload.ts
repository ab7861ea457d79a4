/** What a person drops or picks, as files to write: read with the limits in mind, and each refusal told by its file. */
import type { FileProblem, FileToWrite } from '../../protocol';
import type { Problem } from '../../records/types';

/** The limits of a session's files; the worker holds to them too. */
export const fileBytes = 10 * 1024 * 1024;
const sessionBytes = 100 * 1024 * 1024;
const mostFiles = 5000;

/** A file that may be uploaded. */
export interface Candidate {
  /** Relative, with slashes. */
  path: string;
  /** As far as is known before it is read. */
  bytes: number;
  /** Throws FileRefused, for one when more than `limit` bytes come. */
  read: (limit: number) => Promise<Uint8Array>;
}

export class FileRefused extends Error {
  constructor(readonly problem: Problem) {
    super(problem.code);
  }
}

export interface Upload {
  files: FileToWrite[];
  problems: FileProblem[];
}

type ZipReader = (file: File) => Promise<Candidate[]>;

/**
 * What was dropped. What a drop carries is gone when its event is over, so that this asks for it at once; folders are walked
 * afterwards. Zips are taken apart.
 */
export function droppedCandidates(data: DataTransfer, readZip: ZipReader): Promise<Candidate[]> {
  const dropped = [...data.items].flatMap((item) => {
    if (item.kind !== 'file') return [];
    return item.webkitGetAsEntry() ?? item.getAsFile() ?? [];
  });
  return candidatesOf(dropped, readZip);
}

/** What was picked: files, or a folder with its files. */
export function pickedCandidates(files: Iterable<File>, readZip: ZipReader): Promise<Candidate[]> {
  return candidatesOf([...files], readZip);
}

async function candidatesOf(
  sources: readonly (File | FileSystemEntry)[],
  readZip: ZipReader,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  const add = async (source: File | FileSystemEntry): Promise<void> => {
    if (found.length > mostFiles)
      throw new FileRefused({ code: 'files.tooMany', params: { limit: mostFiles } });
    if (source instanceof File)
      found.push(...(await fileCandidates(source, source.webkitRelativePath, readZip)));
    else if (isFile(source)) {
      const file = await new Promise<File>((resolve, reject) => source.file(resolve, reject));
      found.push(...(await fileCandidates(file, source.fullPath.replace(/^\//, ''), readZip)));
    } else for (const entry of await entriesOf(source as FileSystemDirectoryEntry)) await add(entry);
  };
  for (const source of sources) await add(source);
  if (found.length > mostFiles)
    throw new FileRefused({ code: 'files.tooMany', params: { limit: mostFiles } });
  return found;
}

async function fileCandidates(file: File, path: string, readZip: ZipReader): Promise<Candidate[]> {
  if (/\.zip$/i.test(file.name)) return readZip(file);
  return [
    {
      path: path || file.name,
      bytes: file.size,
      read: async () => new Uint8Array(await file.arrayBuffer()),
    },
  ];
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

/** A browser gives the entries of a folder a hundred at a time. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

/** Reads the candidates into a folder (an absolute path). What cannot be taken is among the problems, by its path there. */
export async function readUpload(
  candidates: readonly Candidate[],
  folder: string,
  progress: (done: number) => void = () => undefined,
): Promise<Upload> {
  const upload: Upload = { files: [], problems: [] };
  let left = sessionBytes;
  for (const [index, candidate] of candidates.entries()) {
    progress(index);
    const path = `${folder === '/' ? '' : folder}/${candidate.path}`;
    const problem = refusal(candidate, left);
    if (problem) {
      upload.problems.push({ path, problem: { ...problem, params: { path } } });
      continue;
    }
    try {
      const content = await candidate.read(fileBytes);
      left -= content.length;
      upload.files.push({ path, content });
    } catch (error) {
      const code = error instanceof FileRefused ? error.problem.code : 'files.unreadable';
      upload.problems.push({ path, problem: { code, params: { path } } });
    }
  }
  return upload;
}

function refusal({ path, bytes }: Candidate, left: number): Problem | undefined {
  // The session would resolve such names, but nobody who sends them means well.
  if (path.startsWith('/') || path.split('/').includes('..')) return { code: 'files.leadsOut' };
  if (bytes > fileBytes) return { code: 'files.tooBig' };
  if (bytes > left) return { code: 'files.sessionFull' };
  return undefined;
}
