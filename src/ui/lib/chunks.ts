/** Long texts in pieces, so that a browser lays out only those in sight. */

const chunkCharacters = 8000;

/** The text cut behind line feeds, which are left out, into pieces of some thousand characters. A line may be longer. */
export function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  let start = 0;
  while (text.length - start > chunkCharacters) {
    const end = text.indexOf('\n', start + chunkCharacters);
    if (end === -1) break;
    chunks.push(text.slice(start, end));
    start = end + 1;
  }
  chunks.push(text.slice(start));
  return chunks;
}
