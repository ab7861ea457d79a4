/** What is typed for a field that was asked for by a key and does not have the focus yet: it may still load. */

export interface EarlyText {
  text: string;
  /** Enter was pressed behind it. */
  entered: boolean;
}

interface Wait {
  /** The field is still to come. */
  isWanted: () => boolean;
  /** Escape: the person wants it no more. */
  leave: () => void;
}

export class EarlyKeys {
  #wait: Wait | undefined;
  #text = '';
  #entered = false;

  /** `target`: where the keys of the page arrive. */
  constructor(private readonly target: () => EventTarget = () => window) {}

  /** From now on what is typed is for the field, wherever the focus is. */
  begin(wait: Wait): void {
    if (this.#wait) return;
    this.#wait = wait;
    // Before the field in which somebody was until now.
    this.target().addEventListener('keydown', this.#pressed, true);
    this.target().addEventListener('pointerdown', this.#stop, true);
  }

  /** The field is there: what was typed for it until now. */
  take(): EarlyText {
    const taken = { text: this.#text, entered: this.#entered };
    this.#stop();
    return taken;
  }

  readonly #stop = (): void => {
    this.#wait = undefined;
    this.#text = '';
    this.#entered = false;
    this.target().removeEventListener('keydown', this.#pressed, true);
    this.target().removeEventListener('pointerdown', this.#stop, true);
  };

  readonly #pressed = (event: Event): void => {
    const wait = this.#wait;
    if (!wait?.isWanted() || (event as KeyboardEvent).key === 'Tab') this.#stop();
    else if (this.#takes(event as KeyboardEvent, wait)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  #takes({ key, ctrlKey, altKey, metaKey }: KeyboardEvent, { leave }: Wait): boolean {
    // Both of them write a sign on many keyboards.
    if (metaKey || ctrlKey !== altKey) return false;
    if (key === 'Escape') {
      this.#stop();
      leave();
    } else if (this.#entered) return true;
    else if (key === 'Enter') this.#entered = true;
    else if (key === 'Backspace') this.#text = [...this.#text].slice(0, -1).join('');
    else if ([...key].length === 1) this.#text += key;
    else return false;
    return true;
  }
}
