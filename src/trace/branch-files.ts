/** Rows of changed files: a rename is one row, and what a person or a call changed in one moment folds into one. */
import type { Branch } from './branch';
import { isSameContent } from './file-content';
import type { FileChange, RowBody } from './rows';
import type { NodeRef, NoteNode, Trace } from './types';

type FileDetail = Extract<NoteNode['note'], { type: 'file' }>;
export type FileNote = NoteNode & { note: FileDetail };

/** ms between two files that still are of one moment. */
const MOMENT = 1000;
/** So many files of a call stand as they are: they are read sooner than opened. */
const FEW = 3;

export function isFileNote(note: NoteNode | undefined): note is FileNote {
  return note?.note.type === 'file';
}

/** Of notes that stand directly one behind the other. */
export function fileBranches(notes: readonly FileNote[]): Branch[] {
  const branches: Branch[] = [];
  let moment: FileNote[] = [];
  const close = () => {
    branches.push(...momentBranches(moment));
    moment = [];
  };
  for (const note of notes) {
    const last = moment.at(-1);
    if (last && (last.note.by !== note.note.by || note.at - last.at > MOMENT)) close();
    moment.push(note);
  }
  close();
  return branches;
}

/** The key of the row that the files of this note's moment fold into, if there is one. */
export function filesKeyOf(
  trace: Trace,
  note: NoteNode,
  refs: readonly (NodeRef | { kind: 'run' })[],
): string | undefined {
  const at = refs.findIndex((ref) => ref.kind === 'note' && trace.notes[ref.index] === note);
  const beside: FileNote[] = [];
  const add = (index: number, by: 1 | -1) => {
    for (; ; index += by) {
      const ref = refs[index];
      const other = ref?.kind === 'note' ? trace.notes[ref.index] : undefined;
      if (!isFileNote(other)) return;
      if (by > 0) beside.push(other);
      else beside.unshift(other);
    }
  };
  add(at - 1, -1);
  add(at, 1);
  return filesKeyAmong(beside, note);
}

/** The same among the files of a call, or others that stand directly one behind the other. */
export function filesKeyAmong(beside: readonly FileNote[], { seq }: NoteNode): string | undefined {
  const key = `note:${seq}`;
  return fileBranches(beside).find(
    ({ body, children }) => body.kind === 'files' && children?.().some((child) => child.key === key),
  )?.key;
}

function momentBranches(notes: readonly FileNote[]): Branch[] {
  const first = notes[0];
  const files = notes.flatMap((note, index) => {
    const next = notes[index + 1];
    if (next && isRename(note, next)) return [];
    const before = notes[index - 1];
    return fileBranch(note, before && isRename(before, note) ? before.note.path : undefined);
  });
  const few = first?.note.by === 'person' ? 1 : FEW;
  if (!first || first.note.by === 'start' || files.length <= few) return files;
  const changes = new Set(files.map(({ body }) => (body as NoteBody).change));
  const [change] = changes.size === 1 ? changes : [];
  const { seq, at } = first;
  return [
    {
      key: `files:${seq}`,
      kind: 'files',
      injected: false,
      body: { kind: 'files', notes, files: files.length, ...(change ? { change } : {}) },
      span: { seq, at },
      children: () => files,
    },
  ];
}

type NoteBody = Extract<RowBody, { kind: 'note' }>;

const made = new WeakMap<FileNote, Branch>();

function fileBranch(note: FileNote, from: string | undefined): Branch {
  const known = made.get(note);
  if (known && (known.body as NoteBody).from === from) return known;
  const change = from === undefined ? changeOf(note.note) : 'renamed';
  const branch: Branch = {
    key: `note:${note.seq}`,
    kind: 'note',
    injected: false,
    body: { kind: 'note', note, noteKind: 'file', change, ...(from === undefined ? {} : { from }) },
    span: { seq: note.seq, at: note.at },
  };
  made.set(note, branch);
  return branch;
}

function changeOf({ before, after }: FileDetail): FileChange {
  if (after === undefined) return 'deleted';
  return before === undefined ? 'added' : 'changed';
}

/** A rename is told as the old path's end and, at once, a new path with the same content. */
function isRename({ at, note: gone }: FileNote, { at: nextAt, note: come }: FileNote): boolean {
  return (
    at === nextAt &&
    gone.after === undefined &&
    gone.before !== undefined &&
    come.before === undefined &&
    come.after !== undefined &&
    isSameContent(gone.before, come.after)
  );
}
