/** The arguments of a call as fields of a form, made from the tool's JSON schema, and the arguments that they say. */

export type Arguments = Record<string, unknown>;

/** How a field is written. `json`: what has no field of its own, and any value that is not what its schema says. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'json';

export interface Field {
  name: string;
  kind: FieldKind;
  /** As it was typed; of a choice, the JSON of what was chosen. Empty: not given, but for a text that is required. */
  text: string;
}

/** What is known of a property. */
export interface Property {
  required: boolean;
  description?: string;
  /** What its values are called: its type in the schema, where that is a word. */
  type?: string;
  /** Of a choice. */
  options: readonly unknown[];
}

export type FieldProblem = 'missing' | 'notNumber' | 'notInteger' | 'notJson';

/** The fields of a schema, filled in with arguments. Arguments that it does not name come last. */
export function fieldsOf(schema: unknown, args: Arguments): Field[] {
  const named = propertyNames(schema);
  const others = Object.keys(args).filter((name) => !named.includes(name));
  return [...named, ...others].map((name) => {
    const kind = kindOf(propertySchema(schema, name));
    if (!Object.hasOwn(args, name)) return { name, kind, text: '' };
    const value = args[name];
    const text = textAs(kind, value, { schema, name });
    return text === undefined
      ? { name, kind: 'json', text: JSON.stringify(value, undefined, 2) }
      : { name, kind, text };
  });
}

/** What the fields say. A field with a problem is left out. */
export function argumentsOf(schema: unknown, fields: readonly Field[]): Arguments {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const given = valueOf(schema, field);
      return 'value' in given && given.value !== undefined ? [[field.name, given.value]] : [];
    }),
  );
}

/** What is wrong with a field, if anything. */
export function fieldProblem(schema: unknown, field: Field): FieldProblem | undefined {
  const given = valueOf(schema, field);
  if ('problem' in given) return given.problem;
  const empty = field.text === '' && propertyOf(schema, field.name).required;
  return empty ? 'missing' : undefined;
}

export function propertyOf(schema: unknown, name: string): Property {
  const { required } = asRecord(schema);
  const own = propertySchema(schema, name);
  return {
    required: Array.isArray(required) && required.includes(name),
    ...(typeof own['description'] === 'string' ? { description: own['description'] } : {}),
    ...(typeof own['type'] === 'string' ? { type: own['type'] } : {}),
    options: optionsOf(own),
  };
}

function valueOf(
  schema: unknown,
  { name, kind, text }: Field,
): { value: unknown } | { problem: FieldProblem } {
  if (text === '') {
    const isText = kind === 'text' && propertyOf(schema, name).required;
    return { value: isText ? '' : undefined };
  }
  if (kind === 'text') return { value: text };
  if (kind === 'number') {
    const value = text.trim() === '' ? NaN : Number(text);
    const whole = propertyOf(schema, name).type === 'integer';
    if (whole ? Number.isInteger(value) : Number.isFinite(value)) return { value };
    return { problem: whole ? 'notInteger' : 'notNumber' };
  }
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: 'notJson' };
  }
}

/** What a field of that kind would say of the value; `undefined` when it cannot. */
function textAs(kind: FieldKind, value: unknown, of: { schema: unknown; name: string }): string | undefined {
  const { required, options, type } = propertyOf(of.schema, of.name);
  switch (kind) {
    case 'text':
      return typeof value === 'string' && (value !== '' || required) ? value : undefined;
    case 'number': {
      const fits = typeof value === 'number' && (type !== 'integer' || Number.isInteger(value));
      return fits ? String(value) : undefined;
    }
    case 'boolean':
      return typeof value === 'boolean' ? String(value) : undefined;
    case 'choice':
      return options.some((option) => Object.is(option, value)) ? JSON.stringify(value) : undefined;
    case 'json':
      return undefined;
  }
}

function kindOf(schema: Arguments): FieldKind {
  if (optionsOf(schema).length > 0) return 'choice';
  switch (schema['type']) {
    case 'string':
      return 'text';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return 'json';
  }
}

/** The values of an enumeration. One with objects in it has no choices, since they cannot be told apart in a list. */
function optionsOf(schema: Arguments): readonly unknown[] {
  const { enum: values, const: only } = schema;
  const options: unknown[] = Array.isArray(values) ? values : only === undefined ? [] : [only];
  return options.every((option) => typeof option !== 'object' || option === null) ? options : [];
}

function propertyNames(schema: unknown): string[] {
  return Object.keys(asRecord(asRecord(schema)['properties']));
}

function propertySchema(schema: unknown, name: string): Arguments {
  const properties = asRecord(asRecord(schema)['properties']);
  return Object.hasOwn(properties, name) ? asRecord(properties[name]) : {};
}

function asRecord(value: unknown): Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Arguments) : {};
}
