/**
 * Highlighting: texts as lines of tokens, each with the kind of thing it is. No HTML is made: the library's tokens are
 * collected as they come, and the page sets them as text. Loaded when it is first used.
 */
import hljs from 'highlight.js/lib/core';
import type { Emitter } from 'highlight.js';
import awk from 'highlight.js/lib/languages/awk';
import bash from 'highlight.js/lib/languages/bash';
import css from 'highlight.js/lib/languages/css';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import type { Language } from './language';
import { linesOf } from './text';

export type TokenKind = 'comment' | 'keyword' | 'string' | 'value' | 'name' | 'strong';
export interface Token {
  text: string;
  kind?: TokenKind;
}

const grammars = { awk, bash, css, javascript, json, markdown, python, typescript, xml };
for (const [name, grammar] of Object.entries(grammars)) hljs.registerLanguage(name, grammar);

const kinds: Record<string, TokenKind> = {
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  keyword: 'keyword',
  built_in: 'keyword',
  type: 'keyword',
  tag: 'name',
  name: 'name',
  attr: 'name',
  attribute: 'name',
  property: 'name',
  'selector-tag': 'name',
  'selector-class': 'name',
  'selector-id': 'name',
  string: 'string',
  regexp: 'string',
  code: 'string',
  link: 'string',
  number: 'value',
  literal: 'value',
  symbol: 'value',
  meta: 'value',
  title: 'strong',
  section: 'strong',
  strong: 'strong',
};

function kindOf(scope: string | undefined): TokenKind | undefined {
  if (scope === undefined) return undefined;
  return kinds[scope] ?? kinds[scope.split('.', 1)[0] ?? ''];
}

/** Collects tokens instead of HTML. The library makes one for each text, and for each language inside of another. */
class Tokens implements Emitter {
  readonly list: Token[] = [];
  readonly #scopes: (TokenKind | undefined)[] = [];

  addText(text: string): void {
    if (text === '') return;
    const kind = this.#scopes.at(-1);
    const last = this.list.at(-1);
    if (last && last.kind === kind) last.text += text;
    else this.list.push(kind === undefined ? { text } : { text, kind });
  }
  startScope(scope: string): void {
    this.#scopes.push(kindOf(scope) ?? this.#scopes.at(-1));
  }
  endScope(): void {
    this.#scopes.pop();
  }
  /** Text inside of a language inside of another belongs where it stands. */
  __addSublanguage(inner: Emitter, _name: string): void {
    if (inner instanceof Tokens) this.list.push(...inner.list);
  }
  openNode(scope: string): void {
    this.startScope(scope);
  }
  closeNode(): void {
    this.endScope();
  }
  finalize(): void {}
  toHTML(): string {
    return '';
  }
}

hljs.configure({ __emitter: Tokens });

/** The tokens of each line, as `linesOf` has them. */
export function highlightLines(text: string, language: Language): Token[][] {
  const { _emitter: emitter } = hljs.highlight(text, { language, ignoreIllegals: true });
  return tokenLines((emitter as unknown as Tokens).list, linesOf(text).length);
}

function tokenLines(tokens: readonly Token[], count: number): Token[][] {
  const lines: Token[][] = [[]];
  for (const token of tokens) {
    token.text.split(/\r\n|\n/).forEach((text, index) => {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ ...token, text });
    });
  }
  return lines.slice(0, count);
}
