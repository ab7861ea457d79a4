/** Long texts in pieces, so that a browser lays out only those in sight. */

const chunkCharacters = 8000;
/** Of a line that does not end by then. */
const mostCharacters = 2 * chunkCharacters;

/**
 * The text cut behind line feeds, which are left out, into pieces of some thousand characters. A line that is longer is
 * cut before a word, for a paragraph that grows would be laid out as a whole each time. Of a text that grows at its end
 * only the last piece changes.
 */
export function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  let start = 0;
  while (text.length - start > chunkCharacters) {
    const feed = text.indexOf('\n', start + chunkCharacters);
    if (feed === -1 ? text.length - start <= mostCharacters : feed - start <= mostCharacters) {
      if (feed === -1) break;
      chunks.push(text.slice(start, feed));
      start = feed + 1;
    } else {
      const end = wordAt(text, start + chunkCharacters);
      chunks.push(text.slice(start, end));
      start = end;
    }
  }
  chunks.push(text.slice(start));
  return chunks;
}

/** Where a word begins behind this place; else this place, or behind the pair of code units that it would part. */
function wordAt(text: string, place: number): number {
  const space = text.slice(place, place + 1000).indexOf(' ');
  if (space !== -1) return place + space + 1;
  return /^[\uDC00-\uDFFF]/.test(text.charAt(place)) ? place + 1 : place;
}
