/**
 * Whether the whole text matches: `*` stands for any run of characters, `?` for one, all else for itself. At most
 * (pattern length × text length) steps and no memory of its own, so no pattern hangs whoever asks.
 */
export function globMatch(pattern: string, text: string): boolean {
  let at = 0;
  let want = 0;
  /** Behind the last star, and where the text went on that it does not cover yet. */
  let afterStar = -1;
  let covered = 0;
  while (at < text.length) {
    const wanted = want < pattern.length ? pattern.charCodeAt(want) : -1;
    if (wanted === STAR) {
      want++;
      afterStar = want;
      covered = at;
    } else if (wanted === QUESTION) {
      want++;
      at = behind(text, at);
    } else if (wanted === text.charCodeAt(at)) {
      want++;
      at++;
    } else if (afterStar >= 0) {
      // Only the last star can need more: what came before it fits at its first place already.
      covered = behind(text, covered);
      at = covered;
      want = afterStar;
    } else {
      return false;
    }
  }
  while (want < pattern.length && pattern.charCodeAt(want) === STAR) want++;
  return want >= pattern.length;
}

const STAR = 0x2a;
const QUESTION = 0x3f;

/** The place behind one character, which may be a surrogate pair. */
function behind(text: string, at: number): number {
  const high = text.charCodeAt(at);
  if (high < 0xd800 || high > 0xdbff || at + 1 >= text.length) return at + 1;
  const low = text.charCodeAt(at + 1);
  return low >= 0xdc00 && low <= 0xdfff ? at + 2 : at + 1;
}
