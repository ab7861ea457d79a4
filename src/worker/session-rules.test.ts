import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HookRule, RecordOf } from '../records/types';
import type { Page } from './page.testing';
import { call, page, playing, text } from './wire.testing';

/** Holds the run, without a clock: it waits until the person answers. */
const gate: HookRule = { id: 'gate', rule: 'ask', tool: 'gate' };
const tools = ['gate', 'rm'].map((name) => ({ name, durationMs: 0, result: `${name} ran` }));
const blockRm: HookRule = { id: 'no-rm', rule: 'block', tool: 'rm', args: { path: '/*' } };

const hooks = (one: Page) =>
  one.records.filter((record): record is RecordOf<'hook'> => record.type === 'hook');
const outcomes = (one: Page, tool: string) =>
  [...one.trace.calls.values()].filter(({ toolName }) => toolName === tool).map(({ isError }) => isError);
const setRules = (one: Page, rules: HookRule[]) =>
  one.send({ type: 'setRules', session: one.session, rules });

/** Waits for the nth question of the gate. Returns the function that lets the run go on. */
async function atGate(one: Page, nth: number): Promise<() => Promise<unknown>> {
  await one.until(() => one.trace.asks.size === nth);
  const ask = [...one.trace.asks.keys()].at(-1) ?? '';
  return () => one.send({ type: 'permission', session: one.session, ask, allow: true });
}

describe('rules that a person sets', () => {
  test('change the run that goes on from its next hook on, and end with it when they are switched off', async () => {
    const one = page();
    const rm = call('rm', { path: '/etc' });
    const turns = [rm, call('gate'), rm, call('gate'), rm, text('Done.')];
    await playing(one, { tools, rules: [gate] }, turns);
    const first = await atGate(one, 1);
    await setRules(one, [gate, blockRm]);
    await first();
    const second = await atGate(one, 2);
    await setRules(one, [gate, { ...blockRm, on: false }]);
    await second();
    await one.settled();
    expect(outcomes(one, 'rm')).toEqual([false, true, false]);
    expect(hooks(one).flatMap(({ rules }) => rules ?? [])).toEqual(['gate', 'no-rm', 'gate']);
    expect(one.trace.ruleActs).toEqual(
      new Map([
        ['gate', 2],
        ['no-rm', 1],
      ]),
    );
  });

  test('of every kind reach a run that began without any, and idle hooks leave no record', async () => {
    const one = page();
    await playing(one, { tools, prompts: ['go'], rules: [{ ...gate, nth: 1 }] }, [
      call('gate'),
      call('rm'),
      text('Done.'),
      text('More.'),
    ]);
    const open = await atGate(one, 1);
    expect(hooks(one)).toEqual([]);
    await setRules(one, [
      { id: 'rewrite', rule: 'rewrite', tool: 'rm', text: 'nothing' },
      { id: 'append', rule: 'append', text: 'Be brief.', nth: 1 },
      { id: 'level', rule: 'thinkingLevel', level: 'high' },
      { id: 'limit', rule: 'limitContext', keep: 1 },
      { id: 'more', rule: 'finishTurn', action: 'continue', nth: 3 },
    ]);
    await open();
    await one.settled();
    expect([...one.trace.ruleActs.keys()].sort()).toEqual(
      ['append', 'gate', 'level', 'limit', 'more', 'rewrite'].sort(),
    );
    expect(one.trace.runs[0]?.requests).toBe(4);
    expect(one.trace.requests.map(({ thinkingLevel }) => thinkingLevel)).toEqual([
      'off',
      'high',
      'high',
      'high',
    ]);
  });

  test('leave no trace of hooks when there are none', async () => {
    const one = page();
    await playing(one, { tools }, [call('rm'), text('Done.')]);
    await one.settled();
    expect(hooks(one)).toEqual([]);
  });

  test('that are wrong are refused with their place, and nothing changes', async () => {
    const one = page();
    await playing(one, { rules: [gate], tools }, [text('Done.')]);
    await one.settled();
    const before = one.records.length;
    const wrong: [HookRule[], object][] = [
      [[{ ...gate, tool: '' }], { code: 'scenario.badPattern', params: { path: 'rules[0].tool' } }],
      [[gate, gate], { code: 'scenario.ruleTwice' }],
      [[{ id: 'x', rule: 'finishTurn', action: 'continue' }], { code: 'scenario.endless' }],
      ['no list' as unknown as HookRule[], { code: 'scenario.wrongType' }],
    ];
    for (const [rules, problem] of wrong) await expect(setRules(one, rules)).rejects.toMatchObject(problem);
    expect(one.records).toHaveLength(before);
    expect(one.trace.config.rules).toEqual([gate]);
  });

  test('that act once have acted, also when the session is opened again', async () => {
    const one = page();
    const rm = call('rm', { path: '/etc' });
    await playing(one, { tools, rules: [{ ...blockRm, nth: 1 }] }, [rm, text('One.'), rm, text('Two.')]);
    await one.settled();
    const { session } = one;
    await one.close();
    const two = page();
    await two.show({ type: 'open', session });
    await two.send({ type: 'speed', session, speed: Infinity });
    await two.send({ type: 'prompt', session, text: 'again' });
    await two.settled(2);
    expect(outcomes(two, 'rm')).toEqual([true, false]);
  });

  test('count on when the session is opened again in the middle, as if it had never been left', async () => {
    const letter = fc.constantFrom('a', 'b');
    const rule = fc.record({
      rule: fc.constantFrom('block' as const, 'rewrite' as const),
      tool: fc.constantFrom('a', 'b', '*'),
      nth: fc.integer({ min: 1, max: 5 }),
      on: fc.boolean(),
    });
    const others: HookRule[] = [
      { id: 'append', rule: 'append', text: 'Be brief.', nth: 4 },
      { id: 'level', rule: 'thinkingLevel', level: 'high', nth: 3 },
      { id: 'more', rule: 'finishTurn', action: 'continue', nth: 5 },
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(letter, { maxLength: 3 }), { minLength: 2, maxLength: 5 }),
        fc.array(rule, { minLength: 1, maxLength: 3 }),
        fc.nat(),
        async (runs, random, place) => {
          const rules = [...random.map((one, index) => ({ id: `rule ${index}`, ...one })), ...others];
          const turns = runs.flatMap((names) => [...names.map((name) => call(name)), text('Done.')]);
          const scenario = {
            tools: ['a', 'b'].map((name) => ({ name, durationMs: 0, result: `${name} ran` })),
            rules,
          };
          /** Plays the runs, and leaves the session before the nth of them. */
          const acts = async (leaveBefore: number) => {
            let one = page();
            await playing(one, scenario, [...turns, ...turns.map(() => text('Nothing left.'))]);
            await one.settled();
            for (let run = 2; run <= runs.length; run++) {
              const { session } = one;
              if (run === leaveBefore) {
                await one.close();
                one = page();
                await one.show({ type: 'open', session });
                await one.send({ type: 'speed', session, speed: Infinity });
              }
              await one.send({ type: 'prompt', session, text: 'again' });
              await one.settled(run);
            }
            const told = hooks(one).map(({ name, rules: acted, counted }) => [name, acted, counted]);
            await one.close();
            return told;
          };
          expect(await acts(2 + (place % (runs.length - 1)))).toEqual(await acts(Infinity));
        },
      ),
      { numRuns: 15 },
    );
  }, 60_000);

  test('are there when the session is opened again, and act', async () => {
    const one = page();
    await playing(one, { tools }, [text('One.'), call('rm', { path: '/etc' }), text('Done.')]);
    await one.settled();
    await setRules(one, [blockRm]);
    const { session } = one;
    await one.close();
    const two = page();
    await two.show({ type: 'open', session });
    expect(two.trace.config.rules).toEqual([blockRm]);
    await two.send({ type: 'speed', session, speed: Infinity });
    await two.send({ type: 'prompt', session, text: 'again' });
    await two.settled(2);
    expect(outcomes(two, 'rm')).toEqual([true]);
  });
});
