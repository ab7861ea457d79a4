import type { Problem } from '../records/types';

/** What is wrong at one place of a scenario; `path` like `model.turns[2].blocks[0].text`, empty for the whole. */
export interface ScenarioProblem extends Problem {
  path: string;
  code: `scenario.${string}`;
  params: Record<string, string | number>;
}

/** A scenario that cannot be played, with everything that is wrong with it, the first problem first. */
export class ScenarioError extends Error {
  readonly problems: readonly [ScenarioProblem, ...ScenarioProblem[]];

  constructor(problems: readonly [ScenarioProblem, ...ScenarioProblem[]]) {
    super(problems.map(({ path, code }) => `${code} at ${path === '' ? 'the top' : path}`).join('; '));
    this.name = 'ScenarioError';
    this.problems = problems;
  }
}

/** A problem whose parameters name its path too, so that a sentence can say where. */
export function problemAt(
  path: readonly (string | number)[],
  code: ScenarioProblem['code'],
  params: Record<string, string | number> = {},
): ScenarioProblem {
  const text = pathText(path);
  return { path: text, code, params: { path: text, ...params } };
}

function pathText(path: readonly (string | number)[]): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      if (!/^[A-Za-z_]\w*$/.test(key)) return `[${JSON.stringify(shortened(key))}]`;
      return index === 0 ? shortened(key) : `.${shortened(key)}`;
    })
    .join('');
}

/** A piece of what was found, short enough for a sentence. */
export function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
