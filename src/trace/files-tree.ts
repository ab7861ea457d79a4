/** The files as the rows of a tree: folders first, and what changed marked. */
import type { FileBase, FileState, FileStatus } from './files';

interface RowPlace {
  /** Unique: the path, of a folder with a slash at its end. */
  key: string;
  path: string;
  name: string;
  parent?: string;
  depth: number;
  /** Rows beside it, for the ARIA tree. */
  setSize: number;
  posInSet: number;
}

export type FileRow =
  | (RowPlace & { kind: 'file'; file: FileState; status: FileStatus })
  | (RowPlace & { kind: 'folder'; expanded: boolean; files: number; changed: number });

export interface FileTreeOptions {
  base: FileBase;
  /** Keys of folders that a person closed. */
  collapsed?: ReadonlySet<string>;
  /** Only files with this text in their path, in any case; folders are open then. */
  find?: string;
  /** Only what differs from the base. */
  changedOnly?: boolean;
  /** Folders that are there without files. */
  folders?: readonly string[];
}

interface Folder {
  folders: Map<string, Folder>;
  files: FileState[];
  count: number;
  changed: number;
}

/** The visible rows, from the top. */
export function fileRows(files: readonly FileState[], options: FileTreeOptions): FileRow[] {
  const root = newFolder();
  const find = options.find?.toLowerCase() ?? '';
  for (const path of find || options.changedOnly ? [] : (options.folders ?? [])) folderAt(root, path);
  for (const file of files) {
    if (!file.path.toLowerCase().includes(find)) continue;
    const isChanged = file.status[options.base] !== 'unchanged';
    if (!file.now && !isChanged) continue;
    if (options.changedOnly && !isChanged) continue;
    add(root, file, isChanged);
  }
  const rows: FileRow[] = [];
  addRows(rows, root, { path: '', depth: 0 }, { ...options, find });
  return rows;
}

function newFolder(): Folder {
  return { folders: new Map(), files: [], count: 0, changed: 0 };
}

function add(root: Folder, file: FileState, isChanged: boolean): void {
  let folder = root;
  for (const name of ['', ...file.path.split('/').slice(1, -1)]) {
    if (name !== '') folder = childFolder(folder, name);
    if (file.now) folder.count++;
    if (isChanged) folder.changed++;
  }
  folder.files.push(file);
}

function childFolder(folder: Folder, name: string): Folder {
  let child = folder.folders.get(name);
  if (!child) folder.folders.set(name, (child = newFolder()));
  return child;
}

function folderAt(root: Folder, path: string): void {
  let folder = root;
  for (const name of path.split('/')) if (name !== '') folder = childFolder(folder, name);
}

function addRows(
  rows: FileRow[],
  folder: Folder,
  above: { path: string; parent?: string; depth: number },
  options: FileTreeOptions,
): void {
  const setSize = folder.folders.size + folder.files.length;
  const place = (name: string, posInSet: number) => ({
    path: `${above.path}/${name}`,
    name,
    ...(above.parent === undefined ? {} : { parent: above.parent }),
    depth: above.depth,
    setSize,
    posInSet,
  });
  const folders = [...folder.folders].sort(([a], [b]) => compareNames(a, b));
  folders.forEach(([name, child], index) => {
    const at = place(name, index + 1);
    const key = `${at.path}/`;
    const expanded = options.find !== '' || !options.collapsed?.has(key);
    rows.push({ kind: 'folder', key, ...at, expanded, files: child.count, changed: child.changed });
    if (expanded) addRows(rows, child, { path: at.path, parent: key, depth: above.depth + 1 }, options);
  });
  const named = folder.files.map((file) => ({ file, name: file.path.slice(file.path.lastIndexOf('/') + 1) }));
  named.sort((a, b) => compareNames(a.name, b.name));
  named.forEach(({ file, name }, index) => {
    const at = place(name, folders.length + index + 1);
    rows.push({ kind: 'file', key: at.path, ...at, file, status: file.status[options.base] });
  });
}

const collator = new Intl.Collator('en', { numeric: true });

/** As people sort names: numbers by their value; what only code points tell apart, by those. */
function compareNames(a: string, b: string): number {
  return collator.compare(a, b) || (a < b ? -1 : 1);
}
