/**
 * The import table, read from ARCHITECTURE.md and enforced: which folder may import which. Tests and what is made for
 * them (`*.testing.ts`, `testing/`) are exempt.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('.', import.meta.url));

/** For each folder (or file) of `src`, what it may import beside itself: `x` anything of x, `x (types)` only types. */
const table = readTable(readFileSync(join(source, '../ARCHITECTURE.md'), 'utf8'));

/** The one place where the page names the worker: not an import of its code, but of its URL. */
const workerUrl = /^\.\.\/worker\/main(\.ts)?\?worker&url$/;

interface Import {
  /** Path of the importing file below `src`. */
  file: string;
  specifier: string;
  typeOnly: boolean;
}

describe('the import table', () => {
  const imports = sourceFiles().flatMap(importsOf);

  it('covers every folder of src', () => {
    const folders = new Set(sourceFiles().map(folderOf));
    expect([...folders].filter((folder) => !(folder in table))).toEqual([]);
  });

  it('is kept by every import', () => {
    expect(imports.filter((found) => !isAllowed(found)).map(describeImport)).toEqual([]);
  });

  it("names the worker's URL in at most one place of the page", () => {
    const names = imports.filter(
      ({ file, specifier }) => folderOf(file) === 'ui' && workerUrl.test(specifier),
    );
    expect(names.length).toBeLessThanOrEqual(1);
  });

  it('leaves what only Vite understands, and Node itself, to others than the folders that any host may load', () => {
    const portable = ['loop', 'json', 'records', 'scenario', 'models', 'tools', 'hooks', 'trace'];
    const bound = imports.filter(
      ({ file, specifier }) =>
        portable.includes(folderOf(file)) &&
        // Shipped scenarios are JSON modules, which every bundler knows; only the page and tests load them.
        !(file.startsWith('scenario/shipped/') && specifier.endsWith('.json')) &&
        /\?|^node:|^virtual:|\.(json|css|svelte)$/.test(specifier),
    );
    expect(bound.map(describeImport)).toEqual([]);
  });
});

it('the browser tests import nothing of src', () => {
  const found = filesBelow(join(source, '../e2e')).flatMap((file) => importsOf(join('../e2e', file)));
  // A folder is data (recorded streams to replay), not code.
  const code = found.filter(({ specifier }) => /\.\.\/src\//.test(specifier) && !specifier.endsWith('/'));
  expect(code.map(describeImport)).toEqual([]);
});

it('the reader of the table knows "types" and "nothing"', () => {
  const text =
    '| from | may import |\n| --- | --- |\n| a, b | c, d (types) |\n| e | nothing of ours |\n\n| x | y |\n';
  expect(readTable(text)).toEqual({ a: ['c', 'd (types)'], b: ['c', 'd (types)'], e: [] });
});

describe('the reader of imports', () => {
  it('finds static, type, dynamic and re-exporting imports, also in components', () => {
    const text = `<script lang="ts">
      import a from './a';
      import type { B } from '../b/b';
      export * from './c';
      const d = () => import('./d');
      type E = import('./e').E;
      new URL('./f', import.meta.url);
    </script>`;
    expect(importsIn('ui/X.svelte', text).map(({ specifier, typeOnly }) => [specifier, typeOnly])).toEqual([
      ['./a', false],
      ['../b/b', true],
      ['./c', false],
      ['./d', false],
      ['./e', true],
      ['./f', false],
    ]);
  });

  it.each([
    ['loop/run.ts', '../json/tool-arguments', false, false],
    ['ui/App.svelte', '../loop/types', true, false],
    ['ui/App.svelte', '../protocol', true, true],
    ['ui/App.svelte', '../protocol', false, false],
    ['ui/worker.ts', '../worker/main.ts?worker&url', false, true],
    ['ui/worker.ts', '../worker/main', false, false],
    ['worker/main.ts', '../ui/App.svelte', false, false],
    ['worker/main.ts', '../../scripts/setup.mjs', false, false],
    ['ui/outline/Row.svelte', '../lib/format', false, true],
    ['loop/run.ts', 'typebox', false, true],
  ])('judges an import in %s of %s (types only: %s): %s', (file, specifier, typeOnly, allowed) => {
    expect(isAllowed({ file, specifier, typeOnly })).toBe(allowed);
  });
});

function readTable(text: string): Record<string, string[]> {
  const [, rows = ''] = /\| from +\| may import +\|\n\|[- |]+\n((?:\|.*\n)+)/.exec(text) ?? [];
  const lines = rows
    .trimEnd()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()));
  return Object.fromEntries(
    lines.flatMap(([, from = '', allowed = '']) =>
      from.split(', ').map((folder) => [folder, allowed === 'nothing of ours' ? [] : allowed.split(', ')]),
    ),
  );
}

function sourceFiles(): string[] {
  return filesBelow(source).filter((file) => !file.startsWith('i18n/compiled/'));
}

/** Paths of the sources below a folder that are not tests. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() &&
        /\.(ts|svelte)$/.test(entry.name) &&
        !/\.(test|testing)\.ts$/.test(entry.name) &&
        !/[\\/]testing\b/.test(entry.parentPath),
    )
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

function importsOf(file: string): Import[] {
  return importsIn(file, readFileSync(join(source, file), 'utf8'));
}

function importsIn(file: string, text: string): Import[] {
  const code = file.endsWith('.svelte')
    ? [...text.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, script]) => script).join('\n')
    : text;
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    const specifier = specifierOf(node);
    if (specifier !== undefined) found.push({ file, specifier, typeOnly: isTypeOnly(node) });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest));
  return found;
}

/** What the node imports: a module, or a file by its URL; undefined when it imports nothing. */
function specifierOf(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
    return textOf(node.arguments[0]);
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'URL') {
    const [path, base] = node.arguments ?? [];
    return base && ts.isPropertyAccessExpression(base) && ts.isMetaProperty(base.expression)
      ? textOf(path)
      : undefined;
  }
  return undefined;
}

function textOf(node: ts.Node | undefined): string | undefined {
  return node && ts.isStringLiteralLike(node) ? node.text : undefined;
}

function isTypeOnly(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) return node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
  return ts.isImportTypeNode(node) || (ts.isExportDeclaration(node) && node.isTypeOnly);
}

function isAllowed({ file, specifier, typeOnly }: Import): boolean {
  if (!specifier.startsWith('.')) return true;
  const folder = folderOf(file);
  if (folder === 'ui' && workerUrl.test(specifier)) return true;
  const target = folderOf(posix.join(dirname(file), specifier));
  const allowed = table[folder] ?? [];
  return target === folder || allowed.includes(target) || (typeOnly && allowed.includes(`${target} (types)`));
}

/** The row of the table for a path below `src`: its folder, or its name when it lies at the top. */
function folderOf(path: string): string {
  const [first = ''] = path.split('/');
  return first.replace(/\.(ts|svelte)$/, '');
}

function describeImport({ file, specifier, typeOnly }: Import): string {
  return `${file} imports ${specifier}${typeOnly ? ' (types)' : ''}`;
}
