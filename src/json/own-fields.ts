/** What a request to a model sets itself, whatever fields a person adds to its body. */
const ownFields: readonly string[] = ['model', 'messages', 'input', 'stream'];

/** Whether an extra field of that name is left out of the request. */
export function isOwnField(name: string): boolean {
  return ownFields.includes(name);
}

/** The person's own fields, without those that would replace what makes the request ours. */
export function withoutOwnFields<Value>(fields: Record<string, Value> = {}): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !isOwnField(name)));
}
