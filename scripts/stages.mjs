// Runs the stages of `npm run check` and `npm test`, and counts what passed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from './setup.mjs';

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Count
 * @typedef {{ name: string, command: string, args: string[] }} Step  `command` may be a program of the dependencies
 */

/** Every check that is not itself a test runner; each counts as one test. @type {Step[]} */
export const checks = [
  { name: 'format', command: 'prettier', args: ['--check', '--log-level=warn', '.'] },
  { name: 'lint', command: 'eslint', args: ['--max-warnings=0', '.'] },
  {
    name: 'types of the page',
    command: 'svelte-check',
    args: ['--tsconfig', './tsconfig.json', '--fail-on-warnings', '--output', 'human'],
  },
  { name: 'types of the worker', command: 'tsc', args: ['-p', 'tsconfig.worker.json'] },
  { name: 'types of tests and scripts', command: 'tsc', args: ['-p', 'tsconfig.node.json'] },
  { name: 'dead exports', command: 'knip', args: ['--no-progress'] },
];

const programs = join(root, 'node_modules/.bin');

/**
 * Runs a program and shows what it says. Never rejects.
 * @param {Step} step @param {{ env?: NodeJS.ProcessEnv, together?: boolean }} [options] `env`: more variables;
 *   `together`: other steps run at the same time, so what it says is shown in one piece at its end
 * @returns {Promise<boolean>} whether it succeeded
 */
export function runStep(step, { env = {}, together = false } = {}) {
  const heading = `\n— ${step.name}`;
  if (!together) console.log(heading);
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(step.command, step.args, {
      cwd: root,
      stdio: together ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env, PATH: [programs, process.env.PATH].join(delimiter) },
      shell: process.platform === 'win32',
    });
    /** @type {Buffer[]} */
    const said = [];
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(chunk));
    const end = (/** @type {boolean} */ ok, why = '') => {
      if (together) process.stdout.write(`${heading}\n${Buffer.concat(said).toString()}`);
      const seconds = ((Date.now() - started) / 1000).toFixed(1);
      console.log(`${ok ? 'passed' : 'FAILED'}: ${step.name} (${seconds} s)${why}`);
      resolve(ok);
    };
    child.on('error', (error) => end(false, ` ${error.message}`));
    child.on('close', (code, signal) => end(code === 0, signal ? ` ended by ${signal}` : ''));
  });
}

/** A step that counts as one test. @param {Step} step @param {{ together?: boolean }} [options] @returns {Promise<Count>} */
export async function countStep(step, options) {
  return (await runStep(step, options)) ? { passed: 1, failed: 0, skipped: 0 } : failed;
}

/**
 * One step after the other, while something else runs beside them.
 * @param {Step[]} steps @returns {Promise<Count[]>}
 */
export async function countBeside(steps) {
  const counts = [];
  for (const step of steps) counts.push(await countStep(step, { together: true }));
  return counts;
}

/** The unit tests. @param {string[]} [filters] parts of file names @returns {Promise<Count>} */
export async function runUnitTests(filters = []) {
  const report = freshReport('unit.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const ok = await runStep({
    name: 'unit tests',
    command: 'vitest',
    args: ['run', ...reporters, ...filters],
  });
  return count(ok, report, ({ numPassedTests, numFailedTests, numPendingTests, numTodoTests }) => ({
    passed: numPassedTests,
    failed: numFailedTests,
    skipped: numPendingTests + numTodoTests,
  }));
}

/** The browser tests, on the pages that were built before. @returns {Promise<Count>} */
export async function runBrowserTests() {
  const report = freshReport('browser.json');
  const ok = await runStep(
    { name: 'browser tests', command: 'playwright', args: ['test', '--reporter=list,json'] },
    { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: report } },
  );
  return count(ok, report, ({ stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }));
}

/** Prints the one line that sums everything up, and sets the exit code. @param {Count[]} counts */
export function conclude(counts) {
  const sum = (/** @type {keyof Count} */ key) => counts.reduce((total, part) => total + part[key], 0);
  const anyFailed = sum('failed') > 0;
  process.exitCode = anyFailed ? 1 : 0;
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped`);
}

/** @type {Count} */
export const failed = { passed: 0, failed: 1, skipped: 0 };

/** @param {string} name */
function freshReport(name) {
  const path = join(root, '.cache/reports', name);
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  return path;
}

/**
 * What a test runner reported. A runner that failed without naming a failed test (a file that does not load, an error
 * outside of any test) or that left no report counts as one more failure.
 * @param {boolean} ok @param {string} report @param {(report: any) => Count} read @returns {Count}
 */
function count(ok, report, read) {
  if (!existsSync(report)) return failed;
  const counted = read(JSON.parse(readFileSync(report, 'utf8')));
  return ok || counted.failed > 0 ? counted : { ...counted, failed: 1 };
}
