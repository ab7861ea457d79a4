import { Check } from 'typebox/schema';

/** The keywords of JSON Schema that coercion looks at. Schemas come from hosts and servers: nothing is sure. */
interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  items?: Schema | boolean;
  prefixItems?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  $defs?: unknown;
  definitions?: unknown;
}
type PlainObject = Record<string, unknown>;

/** Deep enough for any real schema; stops references that lead back to themselves. */
const MAX_DEPTH = 100;

/**
 * Brings a value closer to its JSON Schema where models are known to be careless: primitives of the wrong type,
 * null for an optional property, one value where a list is wanted. What the schema allows already is never touched,
 * and what cannot be helped stays as it is, for validation to refuse. Changes objects and lists in place.
 */
export function coerce(schema: object, value: unknown): unknown {
  return new Coercion(schema).apply(schema, value, 0);
}

class Coercion {
  readonly #root: Schema;

  constructor(root: Schema) {
    this.#root = root;
  }

  apply(schema: Schema, value: unknown, depth: number): unknown {
    if (depth > MAX_DEPTH || typeof schema !== 'object') return value;
    if (schema.$ref !== undefined) {
      const target = this.#resolve(schema.$ref);
      if (target) value = this.apply(target, value, depth + 1);
    }
    for (const part of schema.allOf ?? []) value = this.apply(part, value, depth + 1);
    value = this.#branch(schema.anyOf ?? schema.oneOf, value, depth);
    value = this.#toType(schema, value);
    value = toListed(schema, value);
    if (Array.isArray(value)) this.#items(schema, value, depth);
    else if (isPlainObject(value)) this.#properties(schema, value, depth);
    return this.#wrap(schema, value, depth);
  }

  /** The first alternative that the value fits after coercion; none when it fits one as it is. */
  #branch(alternatives: Schema[] | undefined, value: unknown, depth: number): unknown {
    if (!alternatives || alternatives.some((alternative) => this.#fits(alternative, value))) return value;
    for (const alternative of alternatives) {
      const changed = this.apply(alternative, structuredClone(value), depth + 1);
      if (this.#fits(alternative, changed)) return changed;
    }
    return value;
  }

  #toType(schema: Schema, value: unknown): unknown {
    const types = typesOf(schema);
    if (types.length === 0 || types.some((type) => isOfType(type, value))) return value;
    for (const type of types) {
      const changed = toPrimitive(type, value);
      if (changed !== undefined) return changed;
    }
    return value;
  }

  #items(schema: Schema, list: unknown[], depth: number): void {
    for (const [index, item] of list.entries()) {
      const itemSchema = schema.prefixItems?.[index] ?? schema.items;
      if (typeof itemSchema === 'object') list[index] = this.apply(itemSchema, item, depth + 1);
    }
  }

  #properties(schema: Schema, object: PlainObject, depth: number): void {
    for (const [name, value] of Object.entries(object)) {
      const known =
        schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
      const valueSchema = known ?? schema.additionalProperties;
      if (typeof valueSchema !== 'object') continue;
      if (value === null && known && !schema.required?.includes(name) && !this.#fits(known, null))
        delete object[name];
      else object[name] = this.apply(valueSchema, value, depth + 1);
    }
  }

  /** A list of the one value, if that fits: otherwise the error should speak of what the model sent. */
  #wrap(schema: Schema, value: unknown, depth: number): unknown {
    if (!typesOf(schema).includes('array') || Array.isArray(value) || value === null || value === undefined)
      return value;
    if (typesOf(schema).some((type) => isOfType(type, value))) return value;
    const list = [structuredClone(value)];
    this.#items(schema, list, depth);
    return this.#fits(schema, list) ? list : value;
  }

  #fits(schema: Schema, value: unknown): boolean {
    // A part's references are looked up from the root, so the root's definitions go along.
    const { $defs, definitions } = this.#root;
    return Check({ ...($defs ? { $defs } : {}), ...(definitions ? { definitions } : {}), ...schema }, value);
  }

  #resolve(reference: string): Schema | undefined {
    if (!reference.startsWith('#')) return undefined;
    let target: unknown = this.#root;
    for (const part of reference.split('/').slice(1)) {
      const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof target !== 'object' || target === null || !Object.hasOwn(target, name)) return undefined;
      target = (target as PlainObject)[name];
    }
    return typeof target === 'object' && target !== null ? target : undefined;
  }
}

function typesOf(schema: Schema): string[] {
  if (schema.type === undefined) return [];
  return Array.isArray(schema.type) ? schema.type : [schema.type];
}

function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isPlainObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** The value as that type, or `undefined` when it says no such thing. null never turns into something else. */
function toPrimitive(type: string, value: unknown): string | number | boolean | null | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
    case 'number':
      return toNumber(value);
    case 'integer': {
      const number = toNumber(value);
      return Number.isInteger(number) ? number : undefined;
    }
    case 'boolean':
      if (typeof value !== 'string' && typeof value !== 'number') return undefined;
      return { true: true, '1': true, false: false, '0': false }[String(value).toLowerCase()];
    case 'null':
      return value === 'null' || value === '' ? null : undefined;
    default:
      return undefined;
  }
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** `"1"` for one of `[1, 2]`: a listed value that is written the same. */
function toListed(schema: Schema, value: unknown): unknown {
  const listed = 'const' in schema ? [schema.const] : schema.enum;
  if (!listed || !isPrimitive(value) || listed.includes(value)) return value;
  return listed.filter(isPrimitive).find((one) => String(one) === String(value)) ?? value;
}

function isPrimitive(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
