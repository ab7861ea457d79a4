/** Keys of endpoints: each for the exact origin that it was typed for, in this tab or, when asked to, on this device. */
import type { CommandBody } from '../client';
import type { Store } from '../../store';
import { ofThisTab, readStored, writeStored } from '../settings.svelte';
import { isKey } from './origin';

type KeysByOrigin = Readonly<Record<string, string>>;

/** Where a key is kept. A key of this tab goes before one of this device. */
export type KeyPlace = 'tab' | 'device';

/** The one entry of the settings store that may hold secrets. */
const storedAs = 'keys';

/** Tells other tabs of which origin the remembered key changed: the origin only, never the key. */
export type KeysChannel = Pick<BroadcastChannel, 'postMessage' | 'onmessage'>;

export class Keys {
  #tab = $state.raw<KeysByOrigin>(keysOf(parsed(readStored(ofThisTab, 'keys'))));
  #device = $state.raw<KeysByOrigin>({});
  readonly #store: Promise<Store>;
  readonly #send: (command: CommandBody) => Promise<unknown>;
  readonly #channel: KeysChannel;

  constructor(
    store: Promise<Store>,
    send: (command: CommandBody) => Promise<unknown>,
    channel: KeysChannel = new BroadcastChannel('epicycle-keys'),
  ) {
    this.#store = store;
    this.#send = send;
    this.#channel = channel;
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      // A worker that failed is given all keys when the next one starts.
      if (typeof data === 'string') void this.#changedElsewhere(data).catch(() => undefined);
    };
  }

  /** Where the key of an origin is, if there is one. */
  placeOf(origin: string): KeyPlace | undefined {
    if (this.#tab[origin] !== undefined) return 'tab';
    return this.#device[origin] === undefined ? undefined : 'device';
  }

  /** Gives a worker that has just started all keys. */
  async sendAll(): Promise<void> {
    const keys = Object.entries({ ...this.#device, ...this.#tab });
    await Promise.all(keys.map(([origin, key]) => this.#send({ type: 'setKey', origin, key })));
  }

  /** Reads the keys of this device, and sends them. Rejects with what is wrong with the database. */
  async load(): Promise<void> {
    this.#device = await this.#stored();
    await this.sendAll();
  }

  /** Keeps a key in place of the one before. Rejects when it cannot be remembered: then this tab keeps it. */
  async set(origin: string, key: string, place: KeyPlace): Promise<void> {
    this.#setTab(origin, key);
    await this.#send({ type: 'setKey', origin, key });
    await this.move(origin, place);
  }

  /** Remembers the key of an origin on this device, or no longer. */
  async move(origin: string, place: KeyPlace): Promise<void> {
    const key = this.#keyOf(origin);
    if (key === undefined) return;
    // In one place always, whatever fails.
    if (place === 'tab') this.#setTab(origin, key);
    await this.#setDevice(origin, place === 'device' ? key : undefined);
    if (place === 'device') this.#setTab(origin, undefined);
  }

  /** Forgets the key of an origin, wherever it is. */
  async forget(origin: string): Promise<void> {
    this.#setTab(origin, undefined);
    await this.#send({ type: 'setKey', origin });
    await this.#setDevice(origin, undefined);
  }

  #setTab(origin: string, key: string | undefined): void {
    this.#tab = changed(this.#tab, origin, key);
    writeStored(ofThisTab, 'keys', JSON.stringify(this.#tab));
  }

  async #setDevice(origin: string, key: string | undefined): Promise<void> {
    const before = await this.#stored();
    const after = changed(before, origin, key);
    if (before[origin] !== key) {
      const none = Object.keys(after).length === 0;
      await (await this.#store).writeSetting(storedAs, none ? undefined : after);
      this.#channel.postMessage(origin);
    }
    this.#device = after;
  }

  /** Another tab remembered or forgot the key of an origin. A key of this tab stays, and goes before it. */
  async #changedElsewhere(origin: string): Promise<void> {
    const before = this.#keyOf(origin);
    this.#device = await this.#stored().catch(() => changed(this.#device, origin, undefined));
    const key = this.#keyOf(origin);
    if (key === before) return;
    await this.#send({ type: 'setKey', origin, ...(key === undefined ? {} : { key }) });
  }

  #keyOf(origin: string): string | undefined {
    return this.#tab[origin] ?? this.#device[origin];
  }

  /** Another tab may have changed them. */
  async #stored(): Promise<KeysByOrigin> {
    return keysOf(await (await this.#store).readSetting(storedAs));
  }
}

function changed(keys: KeysByOrigin, origin: string, key: string | undefined): KeysByOrigin {
  const { [origin]: _old, ...others } = keys;
  return key === undefined ? others : { ...others, [origin]: key };
}

function parsed(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What is stored may be damaged: what can be no key is left out. */
function keysOf(value: unknown): KeysByOrigin {
  if (typeof value !== 'object' || value === null) return {};
  const entries = Object.entries(value) as [string, unknown][];
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && isKey(entry[1])),
  );
}
