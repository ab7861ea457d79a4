import { titleWords } from '../lib/title-words';

/** What the zip of a session's files is called. */
export function zipName(title: string): string {
  return `${titleWords(title)}-files.zip`;
}
