/** What a person does with files. Each is told, and can be taken back. */
import { m } from '../../i18n';
import type { FileProblem, FileToWrite } from '../../protocol';
import type { FileContent, Problem } from '../../records/types';
import type { FilesAt, FileState } from '../../trace';
import { problemOf } from '../client';
import { number } from '../lib/format';
import { saveFile } from '../lib/save-file';
import { visiblePath } from '../lib/visible-name';
import type { Notices } from '../notices.svelte';
import type { SessionCommand } from '../session.svelte';
import type { ContentReader } from './contents';
import { problemText, shortened } from './problem-text';

/** Files as they were up to a record: `undefined` where there was none. */
interface Before {
  seq: number;
  files: Map<string, FileContent | undefined>;
}

export interface FileActionsOptions {
  send: (command: SessionCommand) => Promise<unknown>;
  /** The files as they are now, whatever is looked at. */
  latest: () => FilesAt;
  /** The last record. */
  seq: () => number;
  contents: ContentReader;
  notices: Notices;
}

export class FileActions {
  /** The notice of what was done last: only that can be taken back. */
  #notice: number | undefined;

  constructor(private readonly options: FileActionsOptions) {}

  /** Writes all or none. Returns what is wrong, which is not told. */
  async upload(files: FileToWrite[], replace: boolean): Promise<FileProblem[]> {
    const before = this.#before(files.map(({ path }) => path));
    let problems: FileProblem[];
    try {
      problems = (await this.options.send({ type: 'writeFiles', files, replace })) as FileProblem[];
    } catch (error) {
      this.tell(error);
      return [];
    }
    if (problems.length === 0)
      this.#done(m.files_uploaded({ count: files.length, shown: number(files.length) }), before);
    return problems;
  }

  /** Returns what is wrong, which is not told. */
  async create(path: string): Promise<Problem | undefined> {
    return this.#change({ type: 'writeFile', path, content: '' }, [path], () => undefined);
  }

  async save(path: string, content: string): Promise<boolean> {
    const shown = shortened(visiblePath(path));
    const problem = await this.#change({ type: 'writeFile', path, content, replace: true }, [path], () =>
      m.files_saved({ path: shown }),
    );
    if (problem) this.#tellProblem(problem);
    return problem === undefined;
  }

  /** Returns what is wrong, which is not told. */
  async rename(from: string, to: string): Promise<Problem | undefined> {
    const moved = this.#at(from).map(({ path }) => path);
    const targets = moved.map((path) => to + path.slice(from.length));
    return this.#change({ type: 'renameFile', from, to }, [...moved, ...targets], () =>
      m.files_renamed({ from: shortened(visiblePath(from)), to: shortened(visiblePath(to)) }),
    );
  }

  async remove(path: string): Promise<void> {
    const paths = this.#at(path).map((file) => file.path);
    const problem = await this.#change({ type: 'deleteFile', path }, paths, () =>
      m.files_deleted({ path: shortened(visiblePath(path)) }),
    );
    if (problem) this.#tellProblem(problem);
  }

  async download({ path, now }: FileState): Promise<void> {
    try {
      const bytes = now && (await this.options.contents.bytes(now));
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (bytes) saveFile(name, 'application/octet-stream', bytes.slice());
      else this.#tellProblem({ code: 'files.gone', params: { path } });
    } catch (error) {
      this.tell(error);
    }
  }

  /** The files as a zip: with paths in the project when all are there, else from the root. */
  async downloadAll(files: readonly FileState[], name: string): Promise<void> {
    try {
      const { zipOf } = await import('./zip');
      const present = files.filter(({ now }) => now);
      const root = present.every(({ path }) => path.startsWith('/project/')) ? '/project/' : '/';
      const entries = present.map(({ path, now }) => ({
        name: path.slice(root.length),
        read: async () => {
          const bytes = now && (await this.options.contents.bytes(now));
          if (!bytes) this.#tellProblem({ code: 'files.gone', params: { path } });
          return bytes ?? new Uint8Array();
        },
      }));
      saveFile(name, 'application/zip', (await zipOf(entries)).slice());
    } catch (error) {
      this.tell(error);
    }
  }

  tell(error: unknown): void {
    this.#tellProblem(problemOf(error));
  }

  /** The file at a path, or those in the folder. */
  #at(path: string): FileState[] {
    return this.options
      .latest()
      .files.filter((file) => file.now && (file.path === path || file.path.startsWith(`${path}/`)));
  }

  #before(paths: readonly string[]): Before {
    const { byPath } = this.options.latest();
    return {
      seq: this.options.seq(),
      files: new Map(paths.map((path) => [path, byPath.get(path)?.now])),
    };
  }

  async #change(
    command: SessionCommand,
    paths: readonly string[],
    done: () => string | undefined,
  ): Promise<Problem | undefined> {
    const before = this.#before(paths);
    try {
      await this.options.send(command);
    } catch (error) {
      return problemOf(error);
    }
    const text = done();
    if (text !== undefined) this.#done(text, before);
    return undefined;
  }

  #done(text: string, before: Before): void {
    const { notices } = this.options;
    if (this.#notice !== undefined) notices.close(this.#notice);
    this.#notice = notices.add(
      { kind: 'info', text, action: { label: m.undo(), run: () => void this.#restore(before) } },
      { ms: 10_000 },
    );
  }

  async #restore(before: Before): Promise<void> {
    const { send, contents } = this.options;
    try {
      const { gone, back } = this.#toRestore(before);
      for (const path of gone) await send({ type: 'deleteFile', path });
      const files: FileToWrite[] = [];
      for (const [path, content] of back) {
        const whole = await contents.read(content);
        if (whole === undefined) this.#tellProblem({ code: 'files.gone', params: { path } });
        else files.push({ path, content: whole });
      }
      const problems = (await send({ type: 'writeFiles', files, replace: true })) as FileProblem[];
      for (const { problem } of problems.slice(0, 1)) this.#tellProblem(problem);
    } catch (error) {
      this.tell(error);
    }
  }

  /** What a tool has changed since then is left as it is, and told. */
  #toRestore({ seq, files }: Before): { gone: string[]; back: [string, FileContent][] } {
    const { byPath } = this.options.latest();
    const gone: string[] = [];
    const back: [string, FileContent][] = [];
    for (const [path, content] of files) {
      const file = byPath.get(path);
      if (file && file.by === 'tool' && file.seq > seq)
        this.#tellProblem({ code: 'files.changedSince', params: { path } });
      else if (content) back.push([path, content]);
      else if (file?.now) gone.push(path);
    }
    return { gone, back };
  }

  #tellProblem(problem: Problem): void {
    this.options.notices.add({ kind: 'error', text: problemText(problem) });
  }
}
