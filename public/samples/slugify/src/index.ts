import { slug, type SlugOptions } from './slug.ts';

export { slug, words, type SlugOptions } from './slug.ts';

/** A slug that is not taken yet: the first free one of `notes`, `notes-2`, `notes-3` and so on. */
export function uniqueSlug(title: string, taken: ReadonlySet<string>, options: SlugOptions = {}): string {
  const base = slug(title, options) || 'untitled';
  if (!taken.has(base)) return base;
  const separator = options.separator ?? '-';
  let number = 2;
  while (taken.has(base + separator + number)) number++;
  return base + separator + number;
}
