/** The scenarios that ship with the page. Their titles and descriptions are translated by id. */
import type { Scenario } from '../types';

const loaders = {
  'one-turn': () => import('./one-turn.json'),
  'tool-loop': () => import('./tool-loop.json'),
  'parallel-tools': () => import('./parallel-tools.json'),
  'steering-mid-batch': () => import('./steering-mid-batch.json'),
  'follow-up': () => import('./follow-up.json'),
  'both-at-once': () => import('./both-at-once.json'),
  'bug-hunt': () => import('./bug-hunt.json'),
  'csv-question': () => import('./csv-question.json'),
  'cut-off': () => import('./cut-off.json'),
  'abort-and-go-on': () => import('./abort-and-go-on.json'),
  'provider-error': () => import('./provider-error.json'),
  'all-terminate': () => import('./all-terminate.json'),
  'blocked-call': () => import('./blocked-call.json'),
  'turn-hooks': () => import('./turn-hooks.json'),
  'tools-change': () => import('./tools-change.json'),
  'three-continues': () => import('./three-continues.json'),
};

export type ShippedId = keyof typeof loaders;

/** In the order in which they are offered, from the simplest on. */
export const shippedIds = Object.keys(loaders) as readonly ShippedId[];

/** What a first visitor sees: it has both loops, three tools at once, and a person who takes part. */
export const firstScenarioId: ShippedId = 'steering-mid-batch';

/** Whether `id` is that of a shipped scenario. */
export function isShipped(id: string): id is ShippedId {
  return Object.hasOwn(loaders, id);
}

/** A fresh copy of a shipped scenario, loaded when it is first asked for. Rejects for an unknown id. */
export async function loadShipped(id: string): Promise<Scenario> {
  if (!isShipped(id)) throw new Error(`There is no shipped scenario "${id}".`);
  const { default: scenario } = await loaders[id]();
  // Tests hold the files to the schema, so that the page can show them without loading it.
  return structuredClone(scenario) as Scenario;
}
