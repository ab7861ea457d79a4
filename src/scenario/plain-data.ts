import { problemAt, ScenarioError, type ScenarioProblem } from './error';

/** JSON's own nesting of a scenario is below 10; the rest is for tool arguments and their schemas. */
const MAX_DEPTH = 64;
const MAX_VALUES = 1_000_000;
const MAX_CHARACTERS = 64_000_000;

interface Place {
  parent: Place | undefined;
  key: string | number;
  depth: number;
}
interface Container {
  from: object;
  to: unknown[] | Record<string, unknown>;
  place: Place | undefined;
}

/**
 * A copy of foreign data as plain JSON: only fresh objects and arrays, without `undefined`. Refuses what is no JSON, what
 * is nested or large beyond reason, and the key `__proto__`. It does not recurse, so no input overflows the stack.
 */
export function plainCopy(value: unknown): unknown {
  const copier = new Copier();
  const copy = copier.value(value, undefined);
  copier.run();
  return copy;
}

class Copier {
  #values = 0;
  #characters = 0;
  readonly #todo: Container[] = [];

  run(): void {
    for (let next = this.#todo.pop(); next; next = this.#todo.pop()) {
      if (Array.isArray(next.from)) this.#array(next.from, next);
      else this.#object(next.from, next);
    }
  }

  value(value: unknown, place: Place | undefined): unknown {
    this.#count(1, typeof value === 'string' ? value.length : 0, place);
    if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) refuse(place, 'scenario.notFinite');
      return value;
    }
    if (typeof value !== 'object') return refuse(place, 'scenario.notData', { found: typeof value });
    if ((place?.depth ?? 0) >= MAX_DEPTH) refuse(place, 'scenario.tooDeep', { max: MAX_DEPTH });
    const isArray = Array.isArray(value);
    const prototype: unknown = Object.getPrototypeOf(value);
    if (!isArray && prototype !== null && Object.getPrototypeOf(prototype) !== null) {
      refuse(place, 'scenario.notData', { found: Object.prototype.toString.call(value).slice(8, -1) });
    }
    const to = isArray ? [] : {};
    this.#todo.push({ from: value, to, place });
    return to;
  }

  #array(from: unknown[], { to, place }: Container): void {
    this.#count(from.length, 0, place);
    for (let key = 0; key < from.length; key++) {
      (to as unknown[]).push(this.value(from[key], inside(place, key)));
    }
  }

  #object(from: object, { to, place }: Container): void {
    for (const [key, value] of Object.entries(from)) {
      if (value === undefined) continue;
      this.#count(0, key.length, place);
      if (key === '__proto__') refuse(inside(place, key), 'scenario.badKey', { key });
      (to as Record<string, unknown>)[key] = this.value(value, inside(place, key));
    }
  }

  #count(values: number, characters: number, place: Place | undefined): void {
    this.#values += values;
    this.#characters += characters;
    if (this.#values > MAX_VALUES || this.#characters > MAX_CHARACTERS) {
      refuse(place, 'scenario.tooLarge', { values: MAX_VALUES, characters: MAX_CHARACTERS });
    }
  }
}

function inside(parent: Place | undefined, key: string | number): Place {
  return { parent, key, depth: (parent?.depth ?? 0) + 1 };
}

function refuse(
  place: Place | undefined,
  code: ScenarioProblem['code'],
  params?: ScenarioProblem['params'],
): never {
  const path: (string | number)[] = [];
  for (let at = place; at; at = at.parent) path.unshift(at.key);
  // The whole path of something that is nested 64 deep helps nobody.
  throw new ScenarioError([problemAt(path.slice(0, 12), code, params)]);
}
