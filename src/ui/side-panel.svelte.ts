/** A panel at the side of the page: how wide it is, and whether it is there; remembered for this browser. */
import { lasting, readStored, writeStored } from './settings.svelte';

export class SidePanel {
  #share = $state<number | undefined>();
  #isShown = $state(true);

  /** `usual`: its share of the page's width, in per cent, until somebody moves its edge. */
  constructor(
    private readonly name: string,
    private readonly usual: () => number,
  ) {
    this.#share = Number(readStored(lasting, `${name}.share`)) || undefined;
    this.#isShown = readStored(lasting, name) !== 'hidden';
  }

  get share(): number {
    return this.#share ?? this.usual();
  }
  set share(share: number) {
    this.#share = share;
    writeStored(lasting, `${this.name}.share`, String(share));
  }

  /** As it was before anybody moved its edge. */
  resetShare(): void {
    this.#share = undefined;
    writeStored(lasting, `${this.name}.share`, undefined);
  }

  get isShown(): boolean {
    return this.#isShown;
  }
  set isShown(shown: boolean) {
    this.#isShown = shown;
    writeStored(lasting, this.name, shown ? undefined : 'hidden');
  }
}
