import { sameContent, VirtualFileSystem } from '../file-system';
import type { FileContent } from '../file-system';
import type { FileUpdate } from './job';

/** The files that jobs of one host work on: a copy that is brought up to date before a job, and tells what the job changed. */
export class WorkingCopy {
  readonly files = new VirtualFileSystem();
  /** What was there before the job, of the files that it touched. */
  private readonly before = new Map<string, FileContent | undefined>();

  constructor() {
    this.files.onChange(({ path, before }) => {
      if (!this.before.has(path)) this.before.set(path, before);
    });
  }

  /** What was there is removed first: so a file may become a folder, and what fits at the end fits on the way. */
  update(updates: readonly FileUpdate[]): void {
    for (const { path } of updates) if (this.files.kind(path) === 'file') this.files.remove(path);
    for (const { path, content } of updates)
      if (content !== undefined) this.files.writeContent(path, content);
    this.before.clear();
  }

  /** Files that differ from what they were at the last update, sorted by path. */
  changes(): FileUpdate[] {
    const changes: FileUpdate[] = [];
    for (const [path, before] of [...this.before].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const content = this.files.kind(path) === 'file' ? this.files.readContent(path) : undefined;
      if (!sameContent(before, content)) changes.push(content === undefined ? { path } : { path, content });
    }
    return changes;
  }
}
