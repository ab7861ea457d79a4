/** Calls back once when its time is over. It stands still until it is started, and while it is paused. */
export class Countdown {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private startedAt = 0;

  constructor(
    private remainingMs: number,
    private readonly callback: () => void,
  ) {}

  start(): void {
    if (this.timer !== undefined) return;
    this.startedAt = performance.now();
    this.timer = setTimeout(this.callback, this.remainingMs);
  }

  pause(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.remainingMs -= performance.now() - this.startedAt;
  }
}
