import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRules } from '../../scenario';
import type { HookRule } from '../lib/types';
import { draftOf, draftProblems, freshId, keptDraft, ruleOf } from './draft';
import type { RuleDraft } from './draft';

const draft = (more: Partial<RuleDraft>): RuleDraft => ({ ...draftOf(), ...more });
const text = fc.constantFrom('', 'a', ' x ', 'line\nline');
const flag = fc.constantFrom('same', 'yes', 'no');
const anyDraft = fc.record<RuleDraft>({
  kind: fc.constantFrom('block', 'ask', 'rewrite', 'finishTurn', 'append', 'thinkingLevel', 'limitContext'),
  tool: fc.constantFrom('', ' bash ', 'w*', 'x'.repeat(300)),
  args: fc.array(
    fc.record({ name: fc.constantFrom('', 'path', 'command '), pattern: fc.constantFrom('', 'rm *', ' ') }),
    { maxLength: 3 },
  ),
  text,
  replaces: fc.boolean(),
  terminate: flag,
  isError: flag,
  action: fc.constantFrom('end', 'continue'),
  level: fc.constantFrom('off', 'high'),
  keep: fc.constantFrom('', '0', '3', '1.5', '-1', '2000000', 'x', ' 7 '),
  nth: fc.constantFrom('', '0', '2', '1e3', '2000000'),
});

describe('a rule in a form', () => {
  it('comes out as it went in', () => {
    const rules: HookRule[] = [
      {
        id: 'a',
        rule: 'block',
        tool: 'bash',
        args: { command: 'rm *' },
        reason: 'no',
        terminate: true,
        nth: 2,
      },
      { id: 'b', on: false, rule: 'ask', text: 'May it?' },
      { id: 'c', rule: 'rewrite', text: '', isError: false, terminate: false },
      { id: 'd', rule: 'rewrite', tool: 'read', isError: true },
      { id: 'e', rule: 'finishTurn', action: 'continue', nth: 1 },
      { id: 'f', rule: 'append', text: 'Be brief.' },
      { id: 'g', rule: 'thinkingLevel', level: 'max' },
      { id: 'h', rule: 'limitContext', keep: 3 },
    ];
    expect(rules.map((rule) => ruleOf(draftOf(rule), rule))).toEqual(rules);
  });

  it('without problems is a rule that the session takes, and the same when it is opened again', () => {
    fc.assert(
      fc.property(anyDraft, fc.boolean(), (typed, isLimited) => {
        fc.pre(Object.keys(draftProblems(typed, isLimited)).length === 0);
        const rule = ruleOf(typed, { id: 'a' });
        expect(parseRules([rule], isLimited ? 5 : undefined)).toEqual([rule]);
        expect(ruleOf(draftOf(rule), rule)).toEqual(rule);
      }),
    );
  });

  it('says what is wrong at the field that it is about', () => {
    const long = 'x'.repeat(257);
    const problems = (more: Partial<RuleDraft>, isLimited = false) => draftProblems(draft(more), isLimited);
    expect(problems({})).toEqual({});
    expect(problems({ tool: long })).toEqual({ tool: 'tooLong' });
    expect(problems({ args: [{ name: ' ', pattern: 'x' }] })).toEqual({ args: 'noName' });
    expect(problems({ args: [{ name: 'a', pattern: long }] })).toEqual({ args: 'tooLong' });
    const twice = ['x', 'y'].map((pattern) => ({ name: 'a', pattern }));
    expect(problems({ args: twice })).toEqual({ args: 'nameTwice' });
    expect(problems({ nth: '0' })).toEqual({ nth: 'notWhole' });
    expect(problems({ kind: 'append', text: ' ' })).toEqual({ text: 'empty' });
    expect(problems({ kind: 'limitContext', keep: '1.5' })).toEqual({ keep: 'notWhole' });
    expect(problems({ kind: 'rewrite' })).toEqual({ text: 'blanks' });
    expect(problems({ kind: 'rewrite', text: 'x' })).toEqual({});
    expect(problems({ kind: 'rewrite', replaces: false, isError: 'yes' })).toEqual({});
    expect(problems({ kind: 'rewrite', replaces: false })).toEqual({ changes: 'noChange' });
    expect(problems({ kind: 'finishTurn', action: 'continue' })).toEqual({ nth: 'endless' });
    expect(problems({ kind: 'finishTurn', action: 'continue' }, true)).toEqual({});
  });

  it('is kept as it was typed, and what is no form is none', () => {
    fc.assert(fc.property(anyDraft, (typed) => void expect(keptDraft(JSON.stringify(typed))).toEqual(typed)));
    const wrong = [{ kind: 'x' }, { text: 1 }, { args: [{}] }, { args: {} }, { args: [7, null] }];
    for (const kept of wrong) expect(keptDraft(JSON.stringify({ ...draft({}), ...kept }))).toBeUndefined();
    for (const kept of [undefined, '{', '7', 'null', '{}']) expect(keptDraft(kept)).toBeUndefined();
  });

  it('forgets arguments that are empty, and takes any value where no pattern is', () => {
    const args = [
      { name: '', pattern: '' },
      { name: 'path', pattern: '' },
    ];
    expect(ruleOf(draft({ args }), { id: 'a' })).toEqual({ id: 'a', rule: 'block', args: { path: '*' } });
  });
});

it('a new rule gets an id that no rule has or had, so that it counts from none', () => {
  const rules: HookRule[] = [{ id: 'rule-2', rule: 'block' }];
  expect(freshId(rules, new Map([['rule-3', 1]]))).toBe('rule-4');
  expect(freshId([], new Map())).toBe('rule-1');
});
