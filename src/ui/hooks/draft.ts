/** A rule as a form holds it: every field is there, and texts are as they were typed. */
import type { HookRule, ThinkingLevel } from '../lib/types';

export type RuleKind = HookRule['rule'];
export const ruleKinds: readonly RuleKind[] = [
  'block',
  'ask',
  'rewrite',
  'finishTurn',
  'append',
  'thinkingLevel',
  'limitContext',
];

export type Tristate = 'same' | 'yes' | 'no';

export interface RuleDraft {
  kind: RuleKind;
  tool: string;
  args: { name: string; pattern: string }[];
  /** Why it blocks, what it asks, what it appends, or the result's new text. */
  text: string;
  /** Of a rewrite: the text is replaced. */
  replaces: boolean;
  terminate: Tristate;
  isError: Tristate;
  action: 'end' | 'continue';
  level: ThinkingLevel;
  keep: string;
  nth: string;
}

/** What can be wrong with a field. */
export type DraftProblem =
  'tooLong' | 'notWhole' | 'empty' | 'blanks' | 'endless' | 'noName' | 'nameTwice' | 'noChange';
export type DraftField = 'tool' | 'text' | 'keep' | 'nth' | 'args' | 'changes';

const mostNumber = 1_000_000;
const longestPattern = 256;

/** Whether rules of that kind are about calls, and have patterns. */
export function isAboutCalls(kind: RuleKind): kind is 'block' | 'ask' | 'rewrite' {
  return kind === 'block' || kind === 'ask' || kind === 'rewrite';
}

/** The form of a rule, or of a new one. */
export function draftOf(rule?: HookRule): RuleDraft {
  const draft: RuleDraft = {
    kind: rule?.rule ?? 'block',
    tool: '',
    args: [],
    text: '',
    replaces: true,
    terminate: 'same',
    isError: 'same',
    action: 'end',
    level: 'high',
    keep: '10',
    nth: rule?.nth === undefined ? '' : String(rule.nth),
  };
  if (!rule) return draft;
  if ('tool' in rule) draft.tool = rule.tool ?? '';
  if ('args' in rule)
    draft.args = Object.entries(rule.args ?? {}).map(([name, pattern]) => ({ name, pattern }));
  switch (rule.rule) {
    case 'block':
      return { ...draft, text: rule.reason ?? '', terminate: rule.terminate ? 'yes' : 'same' };
    case 'rewrite':
      return {
        ...draft,
        text: rule.text ?? '',
        replaces: rule.text !== undefined,
        terminate: tristate(rule.terminate),
        isError: tristate(rule.isError),
      };
    case 'ask':
    case 'append':
      return { ...draft, text: rule.text ?? '' };
    case 'finishTurn':
      return { ...draft, action: rule.action };
    case 'thinkingLevel':
      return { ...draft, level: rule.level };
    case 'limitContext':
      return { ...draft, keep: String(rule.keep) };
  }
}

/** A form as it was kept (JSON) before it was a rule; `undefined` when it is none. */
export function keptDraft(kept: string | undefined): RuleDraft | undefined {
  if (kept === undefined) return undefined;
  try {
    const draft = JSON.parse(kept) as RuleDraft;
    const isSame = Object.entries(draftOf()).every(
      ([field, value]) => typeof draft[field as keyof RuleDraft] === typeof value,
    );
    const isWhole = ({ name, pattern }: RuleDraft['args'][number]) =>
      typeof name === 'string' && typeof pattern === 'string';
    return isSame && ruleKinds.includes(draft.kind) && draft.args.every(isWhole) ? draft : undefined;
  } catch {
    return undefined;
  }
}

/** The rule that a form without problems describes. What is empty is left out. */
export function ruleOf(draft: RuleDraft, { id, on }: { id: string; on?: boolean | undefined }): HookRule {
  const nth = draft.nth.trim();
  const every = { id, ...(on === undefined ? {} : { on }), ...(nth === '' ? {} : { nth: Number(nth) }) };
  const { text } = draft;
  switch (draft.kind) {
    case 'block':
      return {
        ...every,
        rule: 'block',
        ...matchOf(draft),
        ...(text === '' ? {} : { reason: text }),
        ...(draft.terminate === 'yes' ? { terminate: true } : {}),
      };
    case 'ask':
      return { ...every, rule: 'ask', ...matchOf(draft), ...(text === '' ? {} : { text }) };
    case 'rewrite':
      return {
        ...every,
        rule: 'rewrite',
        ...matchOf(draft),
        ...(draft.replaces ? { text } : {}),
        ...(draft.isError === 'same' ? {} : { isError: draft.isError === 'yes' }),
        ...(draft.terminate === 'same' ? {} : { terminate: draft.terminate === 'yes' }),
      };
    case 'finishTurn':
      return { ...every, rule: 'finishTurn', action: draft.action };
    case 'append':
      return { ...every, rule: 'append', text };
    case 'thinkingLevel':
      return { ...every, rule: 'thinkingLevel', level: draft.level };
    case 'limitContext':
      return { ...every, rule: 'limitContext', keep: Number(draft.keep.trim()) };
  }
}

/** What keeps the form from being a rule, by its field; `isLimited`: the session has a limit of requests. */
export function draftProblems(
  draft: RuleDraft,
  isLimited: boolean,
): Partial<Record<DraftField, DraftProblem>> {
  const problems: Partial<Record<DraftField, DraftProblem>> = {};
  const { kind, args } = draft;
  const nth = draft.nth.trim();
  if (nth !== '' && !isCount(nth)) problems.nth = 'notWhole';
  if (kind === 'limitContext' && !isCount(draft.keep.trim())) problems.keep = 'notWhole';
  if (kind === 'append' && draft.text.trim() === '') problems.text = 'empty';
  if (kind === 'rewrite' && draft.replaces && draft.text === '') problems.text = 'blanks';
  if (kind === 'finishTurn' && draft.action === 'continue' && nth === '' && !isLimited)
    problems.nth = 'endless';
  if (kind === 'rewrite' && !draft.replaces && draft.isError === 'same' && draft.terminate === 'same')
    problems.changes = 'noChange';
  if (!isAboutCalls(kind)) return problems;
  if (draft.tool.trim().length > longestPattern) problems.tool = 'tooLong';
  const used = args.filter(isUsed).map(({ name }) => name.trim());
  if (used.includes('')) problems.args = 'noName';
  else if (new Set(used).size < used.length) problems.args = 'nameTwice';
  else if (args.some(({ pattern }) => pattern.length > longestPattern)) problems.args = 'tooLong';
  return problems;
}

/** An id that no rule has or had. */
export function freshId(rules: readonly HookRule[], acted: ReadonlyMap<string, number>): string {
  const taken = new Set([...rules.map(({ id }) => id), ...acted.keys()]);
  let n = rules.length + 1;
  while (taken.has(`rule-${n}`)) n++;
  return `rule-${n}`;
}

function matchOf({ tool, args }: RuleDraft): { tool?: string; args?: Record<string, string> } {
  const used = args.filter(isUsed);
  return {
    ...(tool.trim() === '' ? {} : { tool: tool.trim() }),
    ...(used.length === 0
      ? {}
      : // An argument that is there, whatever it says.
        { args: Object.fromEntries(used.map(({ name, pattern }) => [name.trim(), pattern || '*'])) }),
  };
}

function isUsed({ name, pattern }: { name: string; pattern: string }): boolean {
  return name.trim() !== '' || pattern !== '';
}

function isCount(text: string): boolean {
  return /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= mostNumber;
}

function tristate(value: boolean | undefined): Tristate {
  if (value === undefined) return 'same';
  return value ? 'yes' : 'no';
}
