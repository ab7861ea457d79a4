const secretName = /auth|cookie|token|secret|key|passw|credential|session/i;

/** Whether what stands under this name may be a secret. */
export function looksLikeSecret(name: string): boolean {
  return secretName.test(name);
}

/**
 * The names in JSON data, at any depth, under which secrets may stand; each once, the outer ones first. Numbers and switches
 * are no secrets, and `max_tokens` is one of many innocent names.
 */
export function secretNames(data: unknown): string[] {
  const found = new Set<string>();
  const left = [data];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    const inner: unknown[] = [];
    for (const [name, value] of Object.entries(next) as [string, unknown][]) {
      if (!Array.isArray(next) && looksLikeSecret(name) && !isInnocent(value)) found.add(name);
      else inner.push(value);
    }
    left.push(...inner.reverse());
  }
  return [...found];
}

/** Whether a value is no secret under any name. */
export function isInnocent(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isInnocent);
  return value === null || ['number', 'boolean', 'undefined'].includes(typeof value);
}
