import type { BaseIssue } from 'valibot';
import { problemAt, shortened, type ScenarioProblem } from './error';

/** The problem that a schema's issue stands for. */
export function issueProblem(issue: BaseIssue<unknown>): ScenarioProblem {
  const path = issue.path?.map((item) => item.key as string | number) ?? [];
  const found = foundText(issue.input);
  const key = path.at(-1) ?? '';
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
  return problemAt(path, isChoice ? 'scenario.notOneOf' : 'scenario.wrongType', { expected, found });
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
  if (Array.isArray(input)) return 'list';
  if (typeof input === 'object' && input !== null) return 'object';
  return String(input);
}
