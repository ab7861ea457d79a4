/** JSON of others, before its schema looks at it: what would break those who walk through it later. */

/** Deeper than anything that is recorded (values are cut at 400 levels), and shallow enough for every reader. */
const MAX_DEPTH = 500;
/** What models and tools say may have any key: it is shown and sent on, and nothing is read from it by name. */
const FREE_FORM: readonly string[] = ['arguments', 'args', 'details'];

/** What is wrong with a value that JSON.parse returned; it does not recurse. */
export function foreignFault(value: unknown): 'tooDeep' | 'badKey' | undefined {
  let level: [value: unknown, isFree: boolean][] = [[value, false]];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return 'tooDeep';
    const below: typeof level = [];
    for (const [part, isFree] of level) {
      if (typeof part !== 'object' || part === null) continue;
      // A schema takes it for the prototype that every object has, and an assignment makes it one.
      if (!isFree && Object.hasOwn(part, '__proto__')) return 'badKey';
      for (const [key, inner] of Object.entries(part))
        if (typeof inner === 'object') below.push([inner, isFree || FREE_FORM.includes(key)]);
    }
    level = below;
  }
  return undefined;
}
