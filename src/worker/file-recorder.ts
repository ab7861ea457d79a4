/** File changes as records, each with the call that made it. */
import { VirtualFileSystem } from '../tools';
import type { RecordOf } from '../records/types';
import type { BlobWriter } from './blob-writer';
import type { Recorder } from './recorder';

type By = RecordOf<'file_change'>['by'];

export class FileRecorder {
  readonly fs: VirtualFileSystem;
  #by: By = 'start';
  #call: string | undefined;

  /** Changes of `fs` are recorded from now on, as the start's until `started`. */
  constructor(fs: VirtualFileSystem, recorder: Recorder, blobs: BlobWriter) {
    this.fs = fs;
    fs.onChange(({ path, after }) => {
      recorder.write({
        type: 'file_change',
        path,
        by: this.#by,
        ...(this.#call === undefined ? {} : { call: this.#call }),
        ...(after === undefined ? {} : { after: blobs.file(after) }),
      });
    });
  }

  started(): void {
    this.#by = 'person';
  }

  /** The same files; what is changed through this view is recorded as a tool's, by `call`. */
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
