import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partialArguments } from '../../json';
import { cutAtEnd, missingEnd } from './growing';

describe('the end of arguments that still stream', () => {
  it('says what is open, innermost first', () => {
    expect(missingEnd('{"a": ["x')).toBe('"]}');
    expect(missingEnd('{"a": ["}", {')).toBe('}]}');
    expect(missingEnd(String.raw`{"a": "\"`)).toBe('"}');
    expect(missingEnd('{"a": 1')).toBe('}');
  });

  it('is nowhere when the JSON is whole', () => {
    fc.assert(
      fc.property(fc.object(), (value) => {
        expect(missingEnd(JSON.stringify(value))).toBe('');
      }),
    );
  });

  it('is where the text ends, in the pretty form of what it says', () => {
    const view = (text: string) =>
      cutAtEnd(JSON.stringify(partialArguments(text), undefined, 1), missingEnd(text));
    expect(view('{"edits": [{"old": "a", "new": "b}')).toEqual([
      '{\n "edits": [\n  {\n   "old": "a",\n   "new": "b}',
      '"\n  }\n ]\n}',
    ]);
    expect(view('{"a": {"b": 1}')).toEqual(['{\n "a": {\n  "b": 1\n }', '\n}']);
    expect(view('{"a": 1}')).toEqual(['{\n "a": 1\n}', '']);
  });

  it('takes nothing away and adds nothing', () => {
    fc.assert(
      fc.property(fc.object(), fc.nat(), (value, cut) => {
        const text = JSON.stringify(value);
        const part = text.slice(0, cut % (text.length + 1));
        const pretty = JSON.stringify(partialArguments(part), undefined, 2);
        expect(cutAtEnd(pretty, missingEnd(part)).join('')).toBe(pretty);
      }),
    );
  });
});
