/** Where the outline is scrolled to: at the end while it follows what is new, else where the reader went. */

/** px from the end at which a reader who comes down is there. */
const NEAR_END = 30;

export class OutlineScroll {
  /** The reader is at the end, and stays there. */
  isFollowing = $state(true);
  viewHeight = $state(600);
  #top = $state(0);
  #element: HTMLElement | undefined;
  /** Where it was scrolled to last, by us. */
  #placed = 0;

  /** The part in sight begins here, of rows that are `height` px high in all. */
  topOf(height: number): number {
    const last = Math.max(0, height - this.viewHeight);
    return this.isFollowing ? last : Math.min(this.#top, last);
  }

  /** Scrolls `element` along with its `content`. Sizes are observed: then they are known, and asking costs nothing. */
  attach(element: HTMLElement, content: HTMLElement): () => void {
    this.#element = element;
    const observer = new ResizeObserver(() => {
      this.viewHeight = element.clientHeight;
      this.#follow();
    });
    observer.observe(element);
    observer.observe(content);
    return () => observer.disconnect();
  }

  /** Only the reader scrolls up; what grows below moves nobody away from the end. */
  scrolled(): void {
    const element = this.#element;
    if (!element) return;
    const top = element.scrollTop;
    if (this.isFollowing) this.isFollowing = !this.#wentUp();
    else if (top > this.#top) this.isFollowing = this.#restBelow() < NEAR_END;
    this.#top = top;
  }

  /** Stays where it is, whatever comes. */
  stay(): void {
    if (!this.isFollowing || !this.#element) return;
    this.isFollowing = false;
    this.#top = this.#element.scrollTop;
  }

  to(y: number): void {
    this.isFollowing = false;
    this.#top = Math.max(0, y);
    if (this.#element) this.#element.scrollTop = this.#top;
  }

  toEnd(): void {
    this.isFollowing = true;
    if (this.#element) this.#place(this.#element);
  }

  #follow(): void {
    const element = this.#element;
    if (!element || !this.isFollowing) return;
    // The event that tells of it may not have come yet.
    if (this.#wentUp()) this.scrolled();
    else this.#place(element);
  }

  #place(element: HTMLElement): void {
    element.scrollTop = element.scrollHeight;
    this.#placed = element.scrollTop;
  }

  /** What became shorter moves up by itself, and is at its end then. */
  #wentUp(): boolean {
    return (this.#element?.scrollTop ?? 0) < this.#placed - 1 && this.#restBelow() > 1;
  }

  #restBelow(): number {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = this.#element ?? {};
    return scrollHeight - scrollTop - clientHeight;
  }
}
