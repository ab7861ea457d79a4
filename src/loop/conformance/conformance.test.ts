import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { ScenarioRecord } from './compare.testing';
import { runScenario } from './run-scenario.testing';
import type { Scenario } from './run-scenario.testing';

interface Vector {
  name: string;
  rule: string;
  scenario: Scenario;
  expect: ScenarioRecord;
}
const vectors = JSON.parse(readFileSync(new URL('cases/vectors.json', import.meta.url), 'utf8')) as Vector[];

describe('the loop does what the reference was observed to do', () => {
  test('in all 93 vectors', () => {
    expect(vectors).toHaveLength(93);
  });

  test.concurrent.each(vectors)('$name: $rule', async ({ scenario, expect: expected }) => {
    expect(await runScenario(scenario)).toEqual(expected);
  });
});
