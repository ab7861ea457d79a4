/** Letters typed in a list of texts: quickly behind each other they are the start of one; the same one again goes on. */

/** ms after which a letter begins anew. */
const patienceMs = 700;

export class Typeahead {
  #typed = '';
  #at = -Infinity;

  /** Where to go: the index of the text that is meant, from `current` on. `now` in ms. */
  find(letter: string, now: number, texts: readonly string[], current: number): number | undefined {
    this.#typed = now - this.#at > patienceMs ? letter : this.#typed + letter;
    this.#at = now;
    const typed = this.#typed.toLowerCase();
    const same = [...typed].every((each) => each === typed[0]);
    const wanted = same ? typed.slice(0, 1) : typed;
    // One letter leaves the text that it stands on, more of them may still mean it.
    const from = same ? current + 1 : Math.max(0, current);
    for (let step = 0; step < texts.length; step++) {
      const index = (from + step) % texts.length;
      if (texts[index]?.trim().toLowerCase().startsWith(wanted)) return index;
    }
    return undefined;
  }
}
