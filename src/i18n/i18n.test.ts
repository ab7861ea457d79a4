import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorText, getLocale, initialLocale, loadErrorTexts, locales, m, provideLocale } from '.';

afterEach(() => provideLocale(() => 'en'));

describe('messages', () => {
  it('speak English until a locale is provided', () => {
    expect(getLocale()).toBe('en');
    expect(m.play()).toBe('Play');
  });

  it('ask for the locale at each message, so that they follow a switch', () => {
    let locale: (typeof locales)[number] = 'zh';
    provideLocale(() => locale);
    expect(m.play()).toBe('播放');
    locale = 'en';
    expect(m.play()).toBe('Play');
  });

  it('tell one from many in English, and do not in Chinese', () => {
    expect([0, 1, 2].map((count) => m.turns({ count }))).toEqual(['0 turns', '1 turn', '2 turns']);
    provideLocale(() => 'zh');
    expect([0, 1, 2].map((count) => m.turns({ count }))).toEqual(['0 轮', '1 轮', '2 轮']);
  });

  it('make the rules of a language once, those of amounts and those of places apart', () => {
    const place = (nth: number) => m.landing_when_stops_again({ nth });
    expect([m.turns({ count: 2 }), place(2)]).toEqual(['2 turns', 'lands at its 2nd stop']);
    const made = vi.spyOn(Intl, 'PluralRules');
    expect([m.turns({ count: 1 }), place(3), m.turns({ count: 3 })]).toEqual([
      '1 turn',
      'lands at its 3rd stop',
      '3 turns',
    ]);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });
});

describe('the first locale', () => {
  it('is the one that was chosen before', () => {
    expect(initialLocale(['en-GB'], 'zh')).toBe('zh');
  });

  it("is the first of the browser's languages that we speak", () => {
    expect(initialLocale(['fr-FR', 'zh-CN', 'en-US'])).toBe('zh');
    expect(initialLocale(['zh-Hant-TW'])).toBe('zh');
  });

  it('is English for anybody else, and when the choice is of a locale that is gone', () => {
    expect(initialLocale(['fr-FR', 'de'])).toBe('en');
    expect(initialLocale([])).toBe('en');
    expect(initialLocale(['zh'], 'tlh')).toBe('zh');
  });
});

describe('the sentence for an error', () => {
  it('names a code that has none of its own, and shows its parameters', () => {
    const text = errorText({ code: 'no.such', params: { path: '/a.txt', line: 3 } });
    expect(text).toContain('no.such');
    expect(text).toContain('/a.txt, 3');
  });

  it('is the one of its code, once the sentences are loaded', async () => {
    provideLocale(() => 'en');
    expect(errorText({ code: 'session.missing' })).toContain('session.missing');
    await loadErrorTexts();
    expect(errorText({ code: 'session.missing' })).not.toContain('session.missing');
  });

  it('speaks the current locale', () => {
    const english = errorText({ code: 'no.such' });
    provideLocale(() => 'zh');
    expect(errorText({ code: 'no.such' })).not.toBe(english);
  });
});
