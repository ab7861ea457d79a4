import type { BaseIssue } from 'valibot';
import { problemAt, shortened, type ScenarioProblem } from './error';

const FILE_FORMS = '"…", {"base64": "…"}, {"sample": "…"}';

/** The problem that a schema's issue stands for. */
export function issueProblem(issue: BaseIssue<unknown>): ScenarioProblem {
  const path = issue.path?.map((item) => item.key as string | number) ?? [];
  const found = foundText(issue.input);
  const key = path.at(-1) ?? '';
  if (issue.message === 'scenario.badFile') return problemAt(path, issue.message, { forms: FILE_FORMS });
  if (isCode(issue.message)) return problemAt(path, issue.message, { name: found });
  switch (issue.type) {
    case 'never':
      return problemAt(path, 'scenario.unknownKey', { key });
    case 'min_value':
      return problemAt(path, 'scenario.tooSmall', { min: Number(issue.requirement), found });
    case 'max_value':
      return problemAt(path, 'scenario.tooBig', { max: Number(issue.requirement), found });
    case 'integer':
      return problemAt(path, 'scenario.notWhole', { found });
    case 'min_length':
      return problemAt(path, 'scenario.empty');
    case 'max_length':
      return problemAt(path, 'scenario.tooLong', { max: Number(issue.requirement) });
  }
  if (issue.path?.at(-1)?.origin === 'key' || issue.input === undefined)
    return problemAt(path, 'scenario.missing', { key });
  const expected = issue.type === 'custom' ? issue.message : expectedText(issue.expected ?? '');
  const isChoice = issue.type === 'picklist' || issue.type === 'variant' || issue.type === 'literal';
  if (isChoice) return problemAt(path, 'scenario.notOneOf', { expected, found });
  return problemAt(path, 'scenario.wrongType', { expected, found: shownValue(issue.input) });
}

function isCode(message: string): message is ScenarioProblem['code'] {
  return message.startsWith('scenario.');
}

/** `("a" | "b")` as `a, b`; a type's name in lower case. */
function expectedText(expected: string): string {
  if (!expected.includes('"')) return expected === 'Array' ? 'list' : expected.toLowerCase();
  return [...expected.matchAll(/"([^"]*)"/g)].map((match) => match[1]).join(', ');
}

function foundText(input: unknown): string {
  if (typeof input === 'string') return shortened(input);
  return shownValue(input);
}

/** A value as JSON writes it, so that it reads the same in every language; what is inside stays out. */
export function shownValue(input: unknown): string {
  if (typeof input === 'string') return JSON.stringify(shortened(input));
  if (Array.isArray(input)) return input.length === 0 ? '[]' : '[…]';
  if (typeof input === 'object' && input !== null) return Object.keys(input).length === 0 ? '{}' : '{…}';
  return String(input);
}
