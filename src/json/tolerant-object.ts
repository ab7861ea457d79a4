import { closingQuote, decodeString } from './tolerant-string';

/** Deeper objects are refused: what walks the value later (clone, JSON, validation) is recursive. */
export const MAX_DEPTH = 512;

export type JsonObject = Record<string, unknown>;

/** What came of reading a text as one JSON object. */
export interface ObjectReading {
  /** What could be read, or undefined when the text does not begin with an object. */
  value: JsonObject | undefined;
  /** `cut`: the text ended before the object did. `malformed`: something stood in the way; what came before it is in `value`. */
  ending: 'closed' | 'cut' | 'malformed' | 'tooDeep';
  /** Of a cut text: inside a string, inside (or right at the end of) a number or word, after a whole value, or elsewhere. */
  cutIn?: 'string' | 'word' | 'afterValue' | 'structure';
  /** How many brackets were open at the end. */
  open: number;
  /** Offset behind the object's last bracket. */
  end: number;
  /** Something was repaired on the way: an escape, a raw control character, a number, a comma too many. */
  repaired: boolean;
}

interface Frame {
  container: JsonObject | unknown[];
  expects: 'item' | 'colon' | 'value' | 'comma';
  key: string;
  afterComma: boolean;
}

const SPACE = /\s*/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d*)?|[+-]$/y;
const WORD = /[A-Za-z]+/y;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
]);

/**
 * Reads one JSON object from the start of a text that may be unfinished or damaged. It never throws, uses no
 * recursion and looks at each character a bounded number of times. A key without a value is left out.
 */
export function readObject(text: string): ObjectReading {
  return new ObjectReader(text).read();
}

class ObjectReader {
  private at = 0;
  private repaired = false;
  private root: JsonObject | undefined;
  private readonly frames: Frame[] = [];

  constructor(private readonly text: string) {}

  read(): ObjectReading {
    this.skipSpace();
    if (this.text[this.at] !== '{')
      return this.result(this.at < this.text.length ? 'malformed' : 'cut', 'structure');
    this.root = {};
    this.open(this.root);
    for (;;) {
      const frame = this.frames.at(-1);
      if (!frame) return this.result('closed');
      this.skipSpace();
      if (this.at >= this.text.length) {
        return this.result('cut', frame.expects === 'comma' ? 'afterValue' : 'structure');
      }
      const stopped = this.step(frame, this.text[this.at] ?? '');
      if (stopped) return stopped;
    }
  }

  private step(frame: Frame, character: string): ObjectReading | undefined {
    const closer = Array.isArray(frame.container) ? ']' : '}';
    if (character === closer && (frame.expects === 'item' || frame.expects === 'comma')) {
      this.repaired ||= frame.afterComma && frame.expects === 'item';
      this.at++;
      this.frames.pop();
      return undefined;
    }
    switch (frame.expects) {
      case 'comma':
        return this.punctuation(frame, character, ',', 'item');
      case 'colon':
        return this.punctuation(frame, character, ':', 'value');
      case 'item':
        return Array.isArray(frame.container) ? this.value(frame, character) : this.key(frame, character);
      case 'value':
        return this.value(frame, character);
    }
  }

  private punctuation(
    frame: Frame,
    character: string,
    wanted: string,
    next: Frame['expects'],
  ): ObjectReading | undefined {
    if (character !== wanted) return this.result('malformed');
    this.at++;
    frame.expects = next;
    frame.afterComma = true;
    return undefined;
  }

  private key(frame: Frame, character: string): ObjectReading | undefined {
    if (character !== '"') return this.result('malformed');
    const key = this.string();
    if (this.at > this.text.length) return this.result('cut', 'string');
    frame.key = key;
    frame.expects = 'colon';
    return undefined;
  }

  private value(frame: Frame, character: string): ObjectReading | undefined {
    if (character === '{' || character === '[') {
      if (this.frames.length >= MAX_DEPTH) return this.result('tooDeep');
      const container = character === '{' ? {} : [];
      this.put(frame, container);
      this.open(container);
      return undefined;
    }
    if (character === '"') {
      const text = this.string();
      this.put(frame, text);
      return this.at > this.text.length ? this.result('cut', 'string') : undefined;
    }
    return this.scalar(frame);
  }

  /** Moves past the closing quote; a string that is not closed leaves `at` behind the end of the text. */
  private string(): string {
    const start = this.at + 1;
    const end = closingQuote(this.text, start);
    const { text, repaired } = decodeString(this.text.slice(start, end === -1 ? undefined : end), end === -1);
    this.repaired ||= repaired;
    this.at = (end === -1 ? this.text.length : end) + 1;
    return text;
  }

  private scalar(frame: Frame): ObjectReading | undefined {
    const word = this.match(WORD);
    const number = word === undefined ? this.match(NUMBER) : undefined;
    const atEnd = this.at >= this.text.length;
    const value = word === undefined ? this.number(number) : WORDS.get(word);
    if (value === undefined)
      return atEnd && (word ?? number) ? this.result('cut', 'word') : this.result('malformed');
    this.repaired ||= word !== undefined && /^[A-Z]/.test(word);
    this.put(frame, value);
    return atEnd ? this.result('cut', 'word') : undefined;
  }

  /** The longest number that `token` begins with; a leading zero is refused, since it may be an identifier. */
  private number(token: string | undefined): number | undefined {
    if (token === undefined || /^[+-]?0\d/.test(token)) return undefined;
    if (JSON_NUMBER.test(token)) return Number(token);
    this.repaired = true;
    const value = Number(token.replace(/[eE][+-]?$/, ''));
    return /\d/.test(token) && !Number.isNaN(value) ? value : undefined;
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found) this.at += found.length;
    return found;
  }

  private skipSpace(): void {
    this.match(SPACE);
  }

  /** Moves past the opening bracket. */
  private open(container: JsonObject | unknown[]): void {
    this.at++;
    this.frames.push({ container, expects: 'item', key: '', afterComma: false });
  }

  private put(frame: Frame, value: unknown): void {
    frame.expects = 'comma';
    if (Array.isArray(frame.container)) frame.container.push(value);
    // Plain assignment to __proto__ would change the prototype instead of adding a key.
    else if (frame.key === '__proto__') {
      Object.defineProperty(frame.container, frame.key, {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    } else frame.container[frame.key] = value;
  }

  private result(ending: ObjectReading['ending'], cutIn?: ObjectReading['cutIn']): ObjectReading {
    const { root: value, at: end, repaired } = this;
    return {
      value,
      ending,
      ...(ending === 'cut' && cutIn ? { cutIn } : {}),
      open: this.frames.length,
      end,
      repaired,
    };
  }
}
