/** The session's files as they stood at any record, and how they differ from earlier. */
import type { FileContent, RecordOf, TraceRecord } from '../records/types';
import { isSameContent } from './file-content';

export type FileStatus = 'unchanged' | 'added' | 'changed' | 'deleted';
/** What the files are compared with: the session's start, or the moment before its last turn began. */
export type FileBase = 'start' | 'turn';

/** One file, with its contents now and at both bases: absent where it was not there. */
export interface FileState {
  path: string;
  now?: FileContent;
  start?: FileContent;
  turn?: FileContent;
  /** Against each base. */
  status: Readonly<Record<FileBase, FileStatus>>;
  /** Of its last change: record, who made it, and which call. */
  seq: number;
  by: RecordOf<'file_change'>['by'];
  call?: string;
}

export interface FilesAt {
  /** By path. Also those that are gone but were there at a base. */
  files: readonly FileState[];
  byPath: ReadonlyMap<string, FileState>;
  /** The last turn that had begun, by its id; without one its base is the start. */
  turn?: string;
}

type Change = Pick<RecordOf<'file_change'>, 'seq' | 'by' | 'call' | 'after'>;

/** What a log of records tells of files. It grows with the log, so that nothing is read twice. */
class FileHistory {
  /** Numbers of the records that change what `filesAt` gives. */
  private readonly marks: number[] = [];
  private readonly turns: { seq: number; id: string }[] = [];
  private readonly changes = new Map<string, Change[]>();
  /** The last `by: 'start'` record. */
  private startSeq = 0;
  private read = 0;
  private last: { mark: number; files: FilesAt } | undefined;

  constructor(private readonly records: readonly TraceRecord[]) {}

  at(seq: number): FilesAt {
    this.readOn();
    const mark = countUpTo(this.marks, seq);
    if (this.last?.mark !== mark) this.last = { mark, files: this.filesAt(seq) };
    return this.last.files;
  }

  private readOn(): void {
    for (; this.read < this.records.length; this.read++) {
      const record = this.records[this.read];
      if (record?.type === 'turn_start') this.turns.push({ seq: record.seq, id: record.turn });
      else if (record?.type === 'file_change') this.addChange(record);
      else continue;
      this.marks.push(record.seq);
    }
  }

  private addChange(record: RecordOf<'file_change'>): void {
    if (record.by === 'start') this.startSeq = record.seq;
    const changes = this.changes.get(record.path);
    if (changes) changes.push(record);
    else this.changes.set(record.path, [record]);
  }

  private filesAt(seq: number): FilesAt {
    const turn = this.turns.findLast((each) => each.seq <= seq);
    const beforeTurn = turn ? turn.seq - 1 : this.startSeq;
    const files: FileState[] = [];
    for (const [path, changes] of this.changes) {
      const file = fileAt(path, changes, { seq, start: this.startSeq, turn: beforeTurn });
      if (file) files.push(file);
    }
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
    return {
      files,
      byPath: new Map(files.map((file) => [file.path, file])),
      ...(turn ? { turn: turn.id } : {}),
    };
  }
}

const histories = new WeakMap<readonly TraceRecord[], FileHistory>();

/**
 * The files as they stood at record `seq` (default: the last). `records` are a session's first ones, and may grow between
 * calls. As long as no file and no turn came between, the same object is returned.
 */
export function filesAt(records: readonly TraceRecord[], seq = Infinity): FilesAt {
  let history = histories.get(records);
  if (!history) histories.set(records, (history = new FileHistory(records)));
  return history.at(seq);
}

function fileAt(
  path: string,
  changes: readonly Change[],
  at: { seq: number } & Record<FileBase, number>,
): FileState | undefined {
  const last = changeAt(changes, at.seq);
  if (!last) return undefined;
  const now = last.after;
  const start = changeAt(changes, Math.min(at.start, at.seq))?.after;
  const turn = changeAt(changes, Math.min(at.turn, at.seq))?.after;
  if (!now && !start && !turn) return undefined;
  return {
    path,
    ...(now ? { now } : {}),
    ...(start ? { start } : {}),
    ...(turn ? { turn } : {}),
    status: { start: statusOf(start, now), turn: statusOf(turn, now) },
    seq: last.seq,
    by: last.by,
    ...(last.call === undefined ? {} : { call: last.call }),
  };
}

/** The last change up to a record. */
function changeAt(changes: readonly Change[], seq: number): Change | undefined {
  return changes.findLast((change) => change.seq <= seq);
}

function statusOf(before: FileContent | undefined, now: FileContent | undefined): FileStatus {
  if (!before) return now ? 'added' : 'unchanged';
  if (!now) return 'deleted';
  return isSameContent(before, now) ? 'unchanged' : 'changed';
}

/** How many of these ascending numbers are not above `limit`. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
