/** Pieces of `size` UTF-16 units; a surrogate pair stays together. */
export function* pieces(text: string, size: number): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + Math.max(1, Math.floor(size)));
    const code = text.charCodeAt(to - 1);
    if (code >= 0xd800 && code <= 0xdbff && to < text.length) to++;
    yield text.slice(from, to);
    from = to;
  }
}
