/** Uploads under way: what is read, and what is wrong with it. */
import type { FileProblem, FileToWrite } from '../../protocol';
import type { FileActions } from './file-actions';
import { droppedCandidates, pickedCandidates, readUpload } from './upload';
import type { Candidate } from './upload';

const readZip = async (zip: File) => (await import('./zip')).zipCandidates(zip);

export class Uploads {
  /** Nothing was written yet: these have problems. */
  report = $state.raw<{ files: FileToWrite[]; problems: FileProblem[] } | undefined>();
  /** How many files of how many were read. */
  progress = $state.raw<{ done: number; of: number } | undefined>();

  constructor(
    private readonly actions: FileActions,
    /** Told of the first path when all are written. */
    private readonly done: (path: string) => void,
  ) {}

  /** Within the event of the drop. */
  dropped(data: DataTransfer, into: string): void {
    void this.#start(droppedCandidates(data, readZip), into);
  }

  picked(files: readonly File[], into: string): void {
    void this.#start(pickedCandidates(files, readZip), into);
  }

  /** Without those that have problems; with `replace`, those that are there already are no problem. */
  async goOn(replace: boolean): Promise<void> {
    if (!this.report) return;
    const { files, problems } = this.report;
    const isLeft = (path: string) =>
      problems.some((each) => each.path === path && !(replace && each.problem.code === 'files.exists'));
    await this.#write(
      files.filter(({ path }) => !isLeft(path)),
      replace,
    );
  }

  async #start(found: Promise<Candidate[]>, into: string): Promise<void> {
    this.progress = { done: 0, of: 0 };
    try {
      const candidates = await found;
      const of = candidates.length;
      const read = await readUpload(candidates, into, (done) => (this.progress = { done, of }));
      if (read.problems.length > 0) this.report = read;
      else await this.#write(read.files, false);
    } catch (error) {
      this.actions.tell(error);
    } finally {
      this.progress = undefined;
    }
  }

  /** All of the files, or none and a report. */
  async #write(files: FileToWrite[], replace: boolean): Promise<void> {
    const problems = files.length === 0 ? [] : await this.actions.upload(files, replace);
    this.report = problems.length > 0 ? { files, problems } : undefined;
    if (!this.report && files[0]) this.done(files[0].path);
  }
}
