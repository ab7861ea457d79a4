/** File changes as records, each with the call that made it. */
import type { RecordOf } from '../records/types';
import type { VirtualFileSystem } from '../tools';
import type { BlobWriter } from './blob-writer';
import type { Recorder } from './recorder';

type By = RecordOf<'file_change'>['by'];

export class FileRecorder {
  /** What is changed here is recorded as made by whoever `record` named. */
  readonly fs: VirtualFileSystem;
  /** `undefined`: what changes is in the records already. */
  #by: By | undefined;
  #call: string | undefined;

  constructor(fs: VirtualFileSystem, recorder: Recorder, blobs: BlobWriter) {
    this.fs = fs;
    fs.onChange(({ path, after }) => {
      if (!this.#by) return;
      recorder.write({
        type: 'file_change',
        path,
        by: this.#by,
        ...(this.#call === undefined ? {} : { call: this.#call }),
        ...(after === undefined ? {} : { after: blobs.file(after) }),
      });
    });
  }

  /** From now on changes are recorded, as made by `by`. */
  record(by: By): void {
    this.#by = by;
  }

  write(path: string, content: string | Uint8Array): void {
    if (typeof content === 'string') this.fs.writeText(path, content);
    else this.fs.writeBytes(path, content);
  }

  /** The files; what is changed through this view is recorded as a tool's, by `call`. */
  viewFor(call: string | undefined): VirtualFileSystem {
    return new Proxy(this.fs, {
      get: (fs, key) => {
        const value: unknown = Reflect.get(fs, key, fs);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => this.#asTool(call, () => Reflect.apply(value, fs, args));
      },
    });
  }

  /** Changes are told synchronously, so that what a method does before it returns is its caller's. */
  #asTool(call: string | undefined, method: () => unknown): unknown {
    const [by, before] = [this.#by, this.#call];
    [this.#by, this.#call] = ['tool', call];
    try {
      return method();
    } finally {
      [this.#by, this.#call] = [by, before];
    }
  }
}
