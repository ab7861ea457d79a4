/** Markdown is drawn by libraries that the first paint does not wait for. Until they are there, text is shown plain. */
import type Markdown from './Markdown.svelte';

class LazyMarkdown {
  component = $state.raw<typeof Markdown | undefined>();
  /** Texts stay plain for good. */
  failed = $state(false);
  #loading: Promise<void> | undefined;

  /** Begins to load, once. When that fails, texts stay plain, and the next call tries again. */
  load(): void {
    if (this.#loading) return;
    this.#loading = import('./Markdown.svelte').then(
      (module) => {
        this.component = module.default;
        this.failed = false;
      },
      (error: unknown) => {
        console.warn('Markdown could not be loaded; texts stay plain.', error);
        this.failed = true;
        this.#loading = undefined;
      },
    );
  }
}

export const lazyMarkdown = new LazyMarkdown();
