import { expect, it, vi } from 'vitest';
import { memoryStore } from '../../store';
import type { CommandBody } from '../client';
import { Keys } from './keys.svelte';
import type { KeysChannel } from './keys.svelte';

const origin = 'https://api.example';

/** The tabs of one browser: what one posts, the others get. `posted` is all of it. */
function browser() {
  const tabs: KeysChannel[] = [];
  const posted: unknown[] = [];
  const channel = (): KeysChannel => {
    const own: KeysChannel = {
      onmessage: null,
      postMessage: (data) => {
        posted.push(data);
        for (const tab of tabs)
          if (tab !== own) tab.onmessage?.call(tab as BroadcastChannel, { data } as MessageEvent);
      },
    };
    tabs.push(own);
    return own;
  };
  return { channel, posted };
}

function setUp({ channel } = browser()) {
  const store = memoryStore({ code: 'storage.none' });
  const sent: CommandBody[] = [];
  const send = (command: CommandBody) => Promise.resolve(void sent.push(command));
  const keys = new Keys(Promise.resolve(store), send, channel());
  return { store, sent, send, keys, stored: () => store.readSetting('keys') };
}

it('a key stays in its tab unless it shall be remembered', async () => {
  const { keys, sent, stored } = setUp();
  await keys.set(origin, 'sk-1', 'tab');
  expect([keys.placeOf(origin), await stored()]).toEqual(['tab', undefined]);
  expect(keys.placeOf('https://api.example:444')).toBeUndefined();
  expect(sent).toEqual([{ type: 'setKey', origin, key: 'sk-1' }]);
});

it('a remembered key is on the device only, and another page finds it', async () => {
  const { keys, store, stored, send, sent } = setUp();
  await keys.set(origin, 'sk-1', 'device');
  expect([keys.placeOf(origin), await stored()]).toEqual(['device', { [origin]: 'sk-1' }]);
  const other = new Keys(Promise.resolve(store), send, browser().channel());
  sent.length = 0;
  await other.load();
  expect(other.placeOf(origin)).toBe('device');
  expect(sent).toEqual([{ type: 'setKey', origin, key: 'sk-1' }]);
});

it('a key can be remembered later, and no longer be remembered', async () => {
  const { keys, stored } = setUp();
  await keys.set(origin, 'sk-1', 'tab');
  await keys.move(origin, 'device');
  expect([keys.placeOf(origin), await stored()]).toEqual(['device', { [origin]: 'sk-1' }]);
  await keys.move(origin, 'tab');
  expect([keys.placeOf(origin), await stored()]).toEqual(['tab', undefined]);
});

it('forgetting takes the key from the tab, the device and the worker, and leaves those of others', async () => {
  const { keys, sent, stored } = setUp();
  await keys.set('https://other.example', 'sk-2', 'device');
  await keys.set(origin, 'sk-1', 'device');
  await keys.set(origin, 'sk-3', 'tab');
  await keys.forget(origin);
  expect(keys.placeOf(origin)).toBeUndefined();
  expect(await stored()).toEqual({ 'https://other.example': 'sk-2' });
  expect(sent.at(-1)).toEqual({ type: 'setKey', origin });
});

it('a key that cannot be remembered stays in the tab', async () => {
  const { store, send } = setUp();
  const full = {
    ...store,
    readSetting: () => Promise.resolve(undefined),
    writeSetting: () => Promise.reject(new Error('full')),
  };
  const keys = new Keys(Promise.resolve(full), send, browser().channel());
  await expect(keys.set(origin, 'sk-1', 'device')).rejects.toThrow('full');
  expect(keys.placeOf(origin)).toBe('tab');
});

it('what is stored and can be no key is left out', async () => {
  const { store, keys, sent } = setUp();
  await store.writeSetting('keys', {
    [origin]: 'two words',
    'https://b.example': 3,
    'https://c.example': 'sk-1',
  });
  await keys.load();
  expect(sent).toEqual([{ type: 'setKey', origin: 'https://c.example', key: 'sk-1' }]);
});

it('a remembered key that is forgotten in one tab is gone from the others and their workers, and no message has it', async () => {
  const tabs = browser();
  const { keys, store, sent } = setUp(tabs);
  const toOther: CommandBody[] = [];
  const other = new Keys(
    Promise.resolve(store),
    (command) => Promise.resolve(void toOther.push(command)),
    tabs.channel(),
  );
  await keys.set(origin, 'sk-1', 'device');
  await vi.waitFor(() => expect(other.placeOf(origin)).toBe('device'), 20_000);
  expect(toOther).toEqual([{ type: 'setKey', origin, key: 'sk-1' }]);
  await other.forget(origin);
  await vi.waitFor(() => expect(keys.placeOf(origin)).toBeUndefined(), 20_000);
  expect(sent.at(-1)).toEqual({ type: 'setKey', origin });
  expect(tabs.posted).toEqual([origin, origin]);
});

it('a key that a tab has of its own stays when another tab forgets the remembered one', async () => {
  const tabs = browser();
  const { keys, store, sent } = setUp(tabs);
  const other = new Keys(Promise.resolve(store), () => Promise.resolve(), tabs.channel());
  const another = 'https://b.example';
  await keys.set(origin, 'sk-1', 'tab');
  await other.set(origin, 'sk-2', 'device');
  await other.set(another, 'sk-3', 'device');
  await vi.waitFor(() => expect(keys.placeOf(another)).toBe('device'), 20_000);
  sent.length = 0;
  await other.forget(origin);
  await other.forget(another);
  await vi.waitFor(() => expect(keys.placeOf(another)).toBeUndefined(), 20_000);
  expect(keys.placeOf(origin)).toBe('tab');
  expect(sent).toEqual([{ type: 'setKey', origin: another }]);
});
