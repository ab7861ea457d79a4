/** A call in one line: its name and the argument that says most. */

const telling = ['path', 'command', 'url', 'query', 'pattern', 'name', 'text'];

/** The argument to show beside a tool's name: the most telling one, else the first that is short text. */
export function callArgument(args: unknown): string {
  if (typeof args !== 'object' || args === null) return '';
  const entries = Object.entries(args as Record<string, unknown>);
  const known = telling.map((name) => entries.find(([key]) => key === name)).find((entry) => entry !== undefined);
  const value = (known ?? entries.find(([, value]) => typeof value === 'string' || typeof value === 'number'))?.[1];
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  const line = String(value).split('\n', 1)[0] ?? '';
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
