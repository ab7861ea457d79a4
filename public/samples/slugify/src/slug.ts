export interface SlugOptions {
  /** What stands between words. */
  separator?: string;
  /** Characters at most. */
  maxLength?: number;
}

/** Letters that are no base letter with an accent, so they have to be spelled out. */
const SPELLED_OUT: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  '&': ' and ',
};

function spellOut(text: string): string {
  return text.replace(/[ßæœøđł&]/g, (letter) => SPELLED_OUT[letter] ?? letter);
}

function dropAccents(text: string): string {
  return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
}

/** The words of a title: lower case, letters a to z and digits only. */
export function words(title: string): string[] {
  const plain = spellOut(title.toLowerCase());
  const clean = plain.replace(/[^a-z0-9]+/g, ' ');
  return dropAccents(clean).split(' ').filter(Boolean);
}

/** A name for URLs. It is empty when the title has no letter and no digit. */
export function slug(title: string, options: SlugOptions = {}): string {
  const { separator = '-', maxLength = 80 } = options;
  let result = '';
  for (const word of words(title)) {
    const next = result === '' ? word : result + separator + word;
    if (next.length > maxLength) break;
    result = next;
  }
  return result || (words(title)[0] ?? '').slice(0, maxLength);
}
