import fc from 'fast-check';
import { test } from 'vitest';
import { randomScenario } from './random-scenario.testing';
import { runScenario } from './run-scenario';
import { writeFileSync } from 'node:fs';
test('hunt', async () => {
  const base = Number(process.env.SEED ?? 1);
  for (let seed = base; seed < base + 60; seed++) {
   for (const one of fc.sample(randomScenario, { seed, numRuns: 200 })) {
    writeFileSync('/tmp/hunt/last.json', JSON.stringify(one));
    const hung = await Promise.race([
      runScenario(one).then(() => false, (error) => { console.log(seed, String(error)); return false; }),
      new Promise((r) => setTimeout(() => r(true), 3000)),
    ]);
    if (hung) { console.log('HUNG', seed, JSON.stringify(one)); return; }
  }}
}, 300_000);
