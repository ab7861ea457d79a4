const MAX_ID = 40;

/**
 * Ids of tool calls as they are sent: each one unique in the request, none longer than APIs take, no character that
 * one refuses. An id goes back to the model that gave it as it was; another one may take letters, digits, _ and - only.
 */
export class CallIds {
  readonly #used = new Set<string>();
  readonly #length: number | undefined;

  /** `length`: the server wants exactly so many letters and digits. */
  constructor(length?: number) {
    this.#length = length;
  }

  /** `isOwn`: the model that is asked gave the id. */
  sentId(id: unknown, isOwn: boolean): string {
    // Behind the bar stands the item id of another API.
    const own = typeof id === 'string' ? (id.split('|')[0] ?? '') : '';
    const base = this.#length === undefined ? plain(own, isOwn) : hashed(own, 0, this.#length);
    let sent = base;
    for (let n = 2; this.#used.has(sent); n++) {
      const suffix = `_${n}`;
      sent =
        this.#length === undefined
          ? base.slice(0, MAX_ID - suffix.length) + suffix
          : hashed(own, n, this.#length);
    }
    this.#used.add(sent);
    return sent;
  }
}

function plain(id: string, isOwn: boolean): string {
  return id.replace(isOwn ? /[^\w.:-]/g : /[^\w-]/g, '_').slice(0, MAX_ID) || 'call';
}

/** Letters and digits alone, always the same for the same id. */
function hashed(id: string, salt: number, length: number): string {
  if (salt === 0 && id.length === length && /^[A-Za-z0-9]+$/.test(id)) return id;
  const digits: string[] = [];
  let hash = 2166136261 ^ salt;
  for (let at = 0; digits.length < length; at++) {
    hash = Math.imul(hash ^ (at < id.length ? id.charCodeAt(at) : at), 16777619) >>> 0;
    if (at + 1 >= id.length) digits.push((hash % 36).toString(36));
  }
  return digits.join('');
}
