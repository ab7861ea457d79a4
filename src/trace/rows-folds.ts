/** What changes between two ways to show an outline. */
import type { OutlineOptions } from './rows';

/** Keys that only one of the two folds, opens or wants; `undefined` when they differ in more than that. */
export function keysBetween(before: OutlineOptions, after: OutlineOptions): Set<string> | undefined {
  if (before === after) return new Set();
  const { collapsedKinds, hidden, quiet, only } = after;
  // What is kept because of one row may be kept because of others too: what is taken away is not looked for.
  const isMore = only ? isSubset(before.only, only) : before.only === undefined;
  if (!isMore) return undefined;
  if (before.collapsedKinds !== collapsedKinds || before.hidden !== hidden || before.quiet !== quiet)
    return undefined;
  return new Set([
    ...onlyOne(before.collapsed ?? none, after.collapsed ?? none),
    ...onlyOne(before.expanded ?? none, after.expanded ?? none),
    ...onlyOne(before.only ?? none, only ?? none),
  ]);
}

function isSubset(some: ReadonlySet<string> | undefined, all: ReadonlySet<string>): boolean {
  return some !== undefined && (some === all || [...some].every((key) => all.has(key)));
}

/** No keys. */
export const none: ReadonlySet<string> = new Set<string>();

/** The keys that are in one of the two alone. */
export function onlyOne(a: ReadonlySet<string>, b: ReadonlySet<string>): string[] {
  return a === b ? [] : [...[...a].filter((key) => !b.has(key)), ...[...b].filter((key) => !a.has(key))];
}
