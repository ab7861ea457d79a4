/** Shares frames among panels: what together takes too long for one frame is drawn in several, one part after the other. */

/** Parts of the page, each with what it is drawn in one frame with. */
const parts = ['outline', 'loop', 'lower'] as const;
type FramePart = (typeof parts)[number];

/** Records of one frame from which on its parts take turns: about 2,000 a second, or a page that is slow. */
const many = 32;
/** ms of one frame that drawing all parts may take: a few records can bring much text, and then they take turns as well. */
const mostMs = 16;

/** For each part a version that counts up when it is to be drawn anew: in the frame in which the trace grew, or soon after. */
export class FrameShare {
  #outline = $state(0);
  #loop = $state(0);
  #lower = $state(0);
  /** The one that waits longest first. */
  #behind: FramePart[] = [];
  /** ms that each took when it was drawn last. */
  readonly #costs: Record<FramePart, number> = { outline: 0, loop: 0, lower: 0 };
  /** Those that were drawn last. */
  #drawn: readonly FramePart[] = [];

  /** For the outline. */
  get outline(): number {
    return this.#outline;
  }
  /** For the loop, and the inspector. */
  get loop(): number {
    return this.#loop;
  }
  /** For what stands below the loop. */
  get lower(): number {
    return this.#lower;
  }

  /** Some part has not been drawn since the trace grew: another frame is needed. */
  get isBehind(): boolean {
    return this.#behind.length > 0;
  }

  /** A frame in which the trace grew by so many records; none at all draws a part that waits. */
  frame(records: number): void {
    if (records > 0) this.#behind.push(...parts.filter((part) => !this.#behind.includes(part)));
    if (records > 0 && records <= many && this.#costOfAll() <= mostMs) this.all();
    else {
      const part = this.#behind.shift();
      this.#drawn = part ? [part] : [];
      this.#draw(part);
    }
  }

  /** The frame took so many ms, with all that was laid out and painted in it. */
  took(ms: number): void {
    for (const part of this.#drawn) this.#costs[part] = ms / this.#drawn.length;
  }

  #costOfAll(): number {
    return parts.reduce((sum, part) => sum + this.#costs[part], 0);
  }

  /** Draws all parts in this frame. */
  all(): void {
    this.#behind = [];
    this.#drawn = parts;
    for (const part of parts) this.#draw(part);
  }

  #draw(part: FramePart | undefined): void {
    if (part === 'outline') this.#outline++;
    else if (part === 'loop') this.#loop++;
    else if (part === 'lower') this.#lower++;
  }
}
