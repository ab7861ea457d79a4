/** What the zip of a session's files is called: a name that every file system takes. */
export function zipName(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${words || 'session'}-files.zip`;
}
