/** A call in one line: the argument that says most, and what is short of the others. */

const telling = ['path', 'command', 'url', 'query', 'pattern', 'name', 'text'];
const longest = 100;

export function callArgument(args: unknown): string {
  if (typeof args !== 'object' || args === null) return '';
  const entries = Object.entries(args as Record<string, unknown>).filter(
    (entry): entry is [string, string | number | boolean] =>
      typeof entry[1] !== 'object' && entry[1] !== undefined,
  );
  const first =
    telling.map((name) => entries.find(([key]) => key === name)).find((entry) => entry !== undefined) ??
    entries[0];
  if (!first) return '';
  const others = entries.filter((entry) => entry !== first && !String(entry[1]).includes('\n'));
  const rest = others.map(([key, value]) => `${key} ${value}`).join(', ');
  const line = firstLine(String(first[1]));
  return rest === '' || line.length + rest.length > longest ? line : `${line} · ${rest}`;
}

function firstLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}
