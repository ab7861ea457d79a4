/** Names of files as a page can show them: nothing in them may hide, reorder or break what stands around. */

/** Controls, and marks that are not seen: direction marks, zero-width ones, line separators, halves of pairs. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Joiners that shape the letters and pictures around them. */
const joiners =
  /(?<=[\p{L}\p{M}\p{Extended_Pictographic}\ufe0f])[\u200c\u200d](?=[\p{L}\p{M}\p{Extended_Pictographic}])/gu;

/** The name, with what cannot be seen in it written as its code point: `‹U+202E›`. */
export function visibleName(name: string): string {
  const kept = new Set([...name.matchAll(joiners)].map(({ index }) => index));
  return name.replace(unseen, (mark, index: number) => {
    if (kept.has(index)) return mark;
    const code = (mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `‹U+${code}›`;
  });
}

const project = '/project/';

/** A path as people read it: relative inside of the project, and visible. */
export function visiblePath(path: string): string {
  return visibleName(
    path.startsWith(project) && path.length > project.length ? path.slice(project.length) : path,
  );
}
