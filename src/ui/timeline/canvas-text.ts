/** Text on a canvas: how wide it is, and how much of it fits. */

export type Weight = 400 | 600;

const KNOWN_AT_MOST = 4000;

export class CanvasText {
  readonly #widths = new Map<string, number>();
  #family = '';

  constructor(readonly context: CanvasRenderingContext2D) {}

  set family(family: string) {
    if (family === this.#family) return;
    this.#family = family;
    this.#widths.clear();
  }

  /** In pixels. `size`: of the font, in pixels. */
  width(text: string, size: number, weight: Weight): number {
    const key = `${weight} ${size} ${text}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      if (this.#widths.size > KNOWN_AT_MOST) this.#widths.clear();
      this.use(size, weight);
      this.#widths.set(key, (width = this.context.measureText(text).width));
    }
    return width;
  }

  use(size: number, weight: Weight): void {
    const font = `${weight} ${size}px ${this.#family}`;
    if (this.context.font !== font) this.context.font = font;
  }

  /** As much of the text as fits, with an ellipsis when it is cut; empty when next to nothing does. */
  fitted(text: string, room: number, size: number, weight: Weight): string {
    if (this.width(text, size, weight) <= room) return text;
    const share = room / this.width(text, size, weight);
    let length = Math.floor(text.length * share);
    while (length > 0 && this.width(`${text.slice(0, length).trimEnd()}…`, size, weight) > room) length--;
    return length < 2 ? '' : `${text.slice(0, length).trimEnd()}…`;
  }
}
