const secretWords = new Set([
  ...['key', 'keys', 'apikey', 'token', 'secret', 'secrets', 'password', 'passwd', 'passphrase', 'pwd'],
  ...['auth', 'authorization', 'bearer', 'credential', 'credentials', 'cookie', 'jwt'],
]);

/** Whether a value under this name is probably a secret: `api_key`, `accessToken`, `X-Auth`; but not `max_tokens`. */
export function looksLikeSecret(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  // A name for what a server keeps in its cache is told to everybody.
  return words.some((word) => secretWords.has(word)) && !words.includes('cache');
}

/** The names in JSON data, at any depth, whose values are probably secrets; each once, the outer ones first. */
export function secretNames(value: unknown): string[] {
  const found = new Set<string>();
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next !== 'object' || next === null) continue;
    const entries = Object.entries(next);
    if (!Array.isArray(next)) for (const [name] of entries) if (looksLikeSecret(name)) found.add(name);
    left.push(...entries.map(([, inner]) => inner as unknown).reverse());
  }
  return [...found];
}
