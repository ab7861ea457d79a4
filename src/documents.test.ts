/** The documents name only files and folders that exist, and scripts that package.json has. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'];
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };

/** What builds and tests make is not there on a fresh clone. */
const made = /^(dist|node_modules|\.cache|test-results|src\/i18n\/compiled)\b/;

/** Paths in backticks (from the top or from `src`) and targets of links and pictures. */
function pathsIn(text: string): string[] {
  const prose = text.replace(/^```.*?^```/gms, '');
  const spans = [...prose.matchAll(/`([^`\s]+)`/g)].map(([, span]) => String(span));
  const links = [...prose.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target]) => String(target));
  return [...spans.filter(isPath), ...links.filter((target) => !target.includes(':'))];
}

/** A span with a slash or a known extension, and without a placeholder such as `x.ts` or `<name>`. */
function isPath(span: string): boolean {
  return (
    /^[\w.@-]+(\/[\w.@-]*)*$/.test(span) &&
    (span.includes('/') || /\.(ts|mjs|md|json|svelte|html)$/.test(span)) &&
    !/(^|\/)(x|NN-name)\b/.test(span)
  );
}

describe.each(documents)('%s', (document) => {
  const text = readFileSync(join(root, document), 'utf8');

  it('names only paths that exist', () => {
    const missing = pathsIn(text).filter(
      (path) => !made.test(path) && !existsSync(join(root, path)) && !existsSync(join(root, 'src', path)),
    );
    expect(missing).toEqual([]);
  });

  it('names only scripts that package.json has', () => {
    const named = [...text.matchAll(/npm (?:run )?([a-z0-9]+)/g)].map(([, name]) => String(name));
    const known = [...Object.keys(scripts), 'ci', 'install'];
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });
});

it('the reader of documents sees paths in backticks and links, and leaves other words alone', () => {
  const text =
    'See `src/loop`, `a.ts`, `tools/x.ts`, `postMessage`, `{ seq }`, [more](docs/more.md) and ![p](p.png).';
  expect(pathsIn(text)).toEqual(['src/loop', 'a.ts', 'docs/more.md', 'p.png']);
});
