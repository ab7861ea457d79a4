/** A title as the beginning of a file's name that every file system takes: letters and digits of any language, and dashes. */
export function titleWords(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return words || 'session';
}
