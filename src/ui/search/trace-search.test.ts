import { expect, it, vi } from 'vitest';
import { fold } from '../../trace';
import { Recording } from '../../trace/testing/recording';
import type { Selection } from '../view.svelte';
import { TraceSearch } from './trace-search.svelte';

/** Three prompts; each of the words stands in two of them. */
function session() {
  const recording = new Recording();
  const turn = recording.startTurn(recording.startRun());
  const ids = ['red green', 'green blue', 'blue red'].map((text) => recording.user(turn, text));
  return { trace: fold(recording.records), ids };
}

/** The field: what it asks for is looked for, and Enter steps. */
function field() {
  const { trace, ids } = session();
  const search = new TraceSearch();
  const chosen: number[] = [];
  const select = (selection: Selection) => {
    if (selection.kind === 'message') chosen.push(ids.indexOf(selection.id));
  };
  return {
    chosen,
    type: (text: string) => (search.text = text),
    refresh: () => search.refresh(trace),
    enter: () => search.step(1, select),
    found: (count: number) => vi.waitFor(() => expect(search.hits).toHaveLength(count), 20_000),
    chose: (which: number[]) => vi.waitFor(() => expect(chosen).toEqual(which), 20_000),
  };
}

it('Enter right behind a new query goes to a hit of that query, not to one of the query before', async () => {
  const { chosen, type, refresh, enter, found, chose } = field();
  type('green');
  refresh();
  await found(2);
  // Before the page has seen what was typed.
  type('blue red');
  enter();
  expect(chosen).toEqual([]);
  refresh();
  await chose([2]);
  // Before it was looked for.
  type('green');
  refresh();
  enter();
  enter();
  expect(chosen).toEqual([2]);
  await chose([2, 0, 1]);
});

it('Enter of a query that was given up for another one goes nowhere', async () => {
  const { chosen, type, refresh, enter, found } = field();
  type('green');
  refresh();
  enter();
  type('blue');
  refresh();
  await found(2);
  expect(chosen).toEqual([]);
  enter();
  expect(chosen).toEqual([1]);
});
