/** A panel at the side of the page: how wide it is, and whether it is there; remembered for this browser. */
import { lasting, readStored, writeStored } from './settings.svelte';

export class SidePanel {
  #share = $state(0);
  readonly #first: number;
  #isShown = $state(true);

  /** `share`: of the page's width, in per cent, until somebody moves its edge. */
  constructor(
    private readonly name: string,
    share: number,
  ) {
    this.#first = share;
    this.#share = Number(readStored(lasting, `${name}.share`)) || share;
    this.#isShown = readStored(lasting, name) !== 'hidden';
  }

  get share(): number {
    return this.#share;
  }
  set share(share: number) {
    this.#share = share;
    writeStored(lasting, `${this.name}.share`, String(share));
  }

  /** As it was before anybody moved its edge. */
  resetShare(): void {
    this.#share = this.#first;
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
