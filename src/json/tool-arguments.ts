import { MAX_DEPTH, readObject, type JsonObject, type ObjectReading } from './tolerant-object';
import { closingQuote, decodeString } from './tolerant-string';
import { wellFormed, wellFormedJson } from './well-formed';

export interface FinalArguments {
  /** Always a plain object; empty when the text could not be read. */
  arguments: JsonObject;
  /** Set when the call must not run: why the text could not be read, with what came. For the model, in English. */
  argumentsError?: string;
  /** The text was no strict JSON, but only one reading of it is sensible. */
  repaired?: boolean;
}

/**
 * The view of tool arguments while they stream: what the text so far says for certain. Never throws, never shows a
 * lone surrogate. Linear in the text, so call it for what is on screen, not for each piece.
 */
export function partialArguments(text: string): JsonObject {
  const value = readObject(text).value;
  if (value) return value;
  const encoded = encodedString(text);
  return (encoded === undefined ? undefined : readObject(encoded).value) ?? {};
}

/**
 * The value of tool arguments whose text is whole: strict JSON first, then repaired. No text at all, and `null`, mean no
 * arguments. A text that ends inside a string or a word is never repaired: what is missing is not known.
 */
export function finalArguments(text: string): FinalArguments {
  const json = wellFormedJson(text).trim();
  if (json === '') return { arguments: {} };
  const replaced = json !== text.trim() ? { repaired: true } : {};
  const value = parse(json);
  if (value === null) return { arguments: {}, repaired: true };
  if (typeof value === 'string') return decodedOnceMore(value, text);
  if (isObject(value))
    return tooDeep(json) ? refused('are nested too deeply', text) : { arguments: value, ...replaced };
  if (value !== undefined) return refused('are not a JSON object', text);
  return repairedObject(json, text);
}

/**
 * The arguments of a call in a message that was cut off: their partial view, with an error unless they are whole. That the
 * view parses, and may even fit the schema, is exactly why the call must not run.
 */
export function interruptedArguments(text: string): FinalArguments {
  const final = finalArguments(text);
  if (text.trim() !== '' && !final.argumentsError && !final.repaired) return final;
  return {
    arguments: partialArguments(text),
    argumentsError: `The answer was cut off inside these arguments: ${quote(text)}`,
  };
}

function decodedOnceMore(inner: string, text: string): FinalArguments {
  const value = parse(inner.trim());
  if (isObject(value) && !tooDeep(inner)) return { arguments: value, repaired: true };
  return value === undefined && inner.trimStart().startsWith('{')
    ? repairedObject(inner.trim(), text)
    : refused('are not a JSON object', text);
}

function repairedObject(json: string, text: string): FinalArguments {
  const fenced = withoutFence(json);
  const reading = readObject(fenced);
  if (!reading.value) return refused('are not a JSON object', text);
  if (reading.ending !== 'closed') return closedByOneBracket(reading, text);
  return withoutJunk(reading.value, fenced.slice(reading.end), text);
}

/** Looks at the two ends alone: a pattern over the whole text takes quadratic time for long runs of spaces. */
function withoutFence(json: string): string {
  const start = /^```(?:json)?/.exec(json)?.[0].length ?? 0;
  return start > 0 && json.length >= start + 3 && json.endsWith('```') ? json.slice(start, -3).trim() : json;
}

function closedByOneBracket(reading: ObjectReading, text: string): FinalArguments {
  if (reading.ending === 'tooDeep') return refused('are nested too deeply', text);
  if (reading.ending === 'malformed') return refused('are not valid JSON', text);
  if (reading.cutIn === 'afterValue' && reading.open === 1) {
    return { arguments: reading.value ?? {}, repaired: true };
  }
  const inside =
    reading.cutIn === 'string' ? ' inside a string' : reading.cutIn === 'word' ? ' inside a value' : '';
  return refused(`end too early${inside}`, text);
}

/**
 * What follows the object may be brackets, words or the same object again (a server that flushed twice). An empty
 * object beside a full one counts for nothing. Quotes are no junk: the object may have ended at a quote that was not escaped.
 */
function withoutJunk(first: JsonObject, behind: string, text: string): FinalArguments {
  let value = first;
  let rest = behind.trim();
  while (rest.startsWith('{')) {
    const next = readObject(rest);
    if (next.ending !== 'closed' || !next.value) return refused('are followed by half an object', text);
    const known = JSON.stringify(value);
    const again = JSON.stringify(next.value);
    if (known === '{}') value = next.value;
    else if (again !== known && again !== '{}') return refused('are two different objects', text);
    rest = rest.slice(next.end).trim();
  }
  return /["{]/.test(rest) ? refused('are not valid JSON', text) : { arguments: value, repaired: true };
}

function encodedString(text: string): string | undefined {
  const trimmed = text.trimStart();
  if (!trimmed.startsWith('"')) return undefined;
  const end = closingQuote(trimmed, 1);
  return decodeString(trimmed.slice(1, end === -1 ? undefined : end), end === -1).text;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Not strict JSON, or too deep for the parser: the tolerant reader says which.
    return undefined;
  }
}

function tooDeep(json: string): boolean {
  let brackets = 0;
  for (let at = 0; at < json.length && brackets <= MAX_DEPTH; at++) {
    const code = json.charCodeAt(at);
    if (code === 0x7b || code === 0x5b) brackets++;
  }
  return brackets > MAX_DEPTH && readObject(json).ending === 'tooDeep';
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function refused(what: string, text: string): FinalArguments {
  return { arguments: {}, argumentsError: `The arguments ${what}: ${quote(text)}` };
}

function quote(text: string): string {
  const shown = text.length <= 300 ? text : `${text.slice(0, 200)} … ${text.slice(-80)}`;
  return wellFormed(shown);
}
