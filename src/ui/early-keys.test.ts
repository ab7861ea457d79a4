import { expect, it, vi } from 'vitest';
import { EarlyKeys } from './early-keys';

function page() {
  const target = new EventTarget();
  const press = (key: string, held: Partial<KeyboardEvent> = {}) => {
    const event = new Event('keydown', { cancelable: true });
    const plain = { ctrlKey: false, altKey: false, metaKey: false };
    target.dispatchEvent(Object.assign(event, { key, ...plain, ...held }));
    return event.defaultPrevented;
  };
  const leave = vi.fn();
  const keys = new EarlyKeys(() => target);
  return { target, press, leave, keys, wait: { isWanted: () => true, leave } };
}

it('what is typed before the field is there arrives in it, in order', () => {
  const { keys, press, wait } = page();
  keys.begin(wait);
  for (const key of ['h', 'e', 'x', 'Backspace', 'l', 'Shift', 'P', ' ', '😀']) press(key);
  keys.begin(wait);
  for (const key of ['!', 'Enter', 'x']) press(key);
  expect(press('@', { ctrlKey: true, altKey: true })).toBe(true);
  expect(keys.take()).toEqual({ text: 'helP 😀!', entered: true });
  expect(press('a')).toBe(false);
  expect(keys.take()).toEqual({ text: '', entered: false });
});

it('shortcuts stay what they are', () => {
  const { keys, press, wait } = page();
  keys.begin(wait);
  for (const held of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }])
    expect(press('a', held)).toBe(false);
  expect([press('F8'), press('ArrowDown')]).toEqual([false, false]);
  expect(keys.take().text).toBe('');
});

it('Escape, a press elsewhere and Tab end it, and so does what makes the field unwanted', () => {
  const { keys, press, wait, leave, target } = page();
  keys.begin(wait);
  expect(press('Escape')).toBe(true);
  expect(leave).toHaveBeenCalledTimes(1);
  const ends = [() => press('Tab'), () => target.dispatchEvent(new Event('pointerdown'))];
  for (const end of ends) {
    keys.begin(wait);
    press('a');
    end();
    expect(press('b')).toBe(false);
    expect(keys.take().text).toBe('');
  }
  keys.begin({ ...wait, isWanted: () => false });
  expect(press('a')).toBe(false);
});
