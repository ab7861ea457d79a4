import type { Problem } from '../records/types';

/** An error that reaches people: a code for the catalogue, and its parameters. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';

  constructor(
    readonly problem: Problem,
    options?: ErrorOptions,
  ) {
    super(`${problem.code} ${JSON.stringify(problem.params ?? {})}`, options);
  }
}

/** Shorthand: `throw problem('session.missing', { session })`. */
export function problem(code: string, params?: Problem['params'], cause?: unknown): ProblemError {
  return new ProblemError(params ? { code, params } : { code }, cause === undefined ? undefined : { cause });
}

/** What went wrong in words, of anything that was thrown. */
export function errorDetail(error: unknown): string {
  if (error instanceof Error) return error.message || error.name;
  return String(error);
}

/** The problem of anything that was thrown; `code` with the parameter `detail` when it is no ProblemError. */
export function problemOf(error: unknown, code: string): Problem {
  if (error instanceof ProblemError) return error.problem;
  return { code, params: { detail: errorDetail(error) } };
}
