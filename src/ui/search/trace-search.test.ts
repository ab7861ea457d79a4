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

/** A search that found `text` in the session, with these filters. */
async function searched(filters: Partial<Pick<TraceSearch, 'text' | 'type' | 'errorsOnly'>>, count: number) {
  const { trace, ids } = session();
  const search = new TraceSearch();
  Object.assign(search, filters);
  search.refresh(trace);
  await vi.waitFor(() => expect(search.hits).toHaveLength(count), 20_000);
  return { search, trace, keys: ids.map((id) => `message:${id}`) };
}

it('a text alone marks rows, and shows them alone when the reader wants that', async () => {
  const { search, keys } = await searched({ text: 'green' }, 2);
  expect(search.only).toBeUndefined();
  search.isOnly = true;
  expect([...(search.only ?? [])]).toEqual(keys.slice(0, 2));
  search.clear();
  expect([search.only, search.isOnly]).toEqual([undefined, false]);
});

it('a filter shows alone what it finds, until the reader wants all rows again', async () => {
  const { search, keys } = await searched({ type: 'user' }, 3);
  expect([...(search.only ?? [])]).toEqual(keys);
  search.isOnly = false;
  expect(search.only).toBeUndefined();
});

it('leaves nothing out before it has looked', async () => {
  const { trace } = session();
  const search = new TraceSearch();
  search.errorsOnly = true;
  search.refresh(trace);
  expect([search.isOnly, search.only]).toEqual([true, undefined]);
  await vi.waitFor(() => expect(search.only).toBeDefined(), 20_000);
  expect(search.only?.size).toBe(0);
});

it('keeps the set of rows as long as the same were found, so that the outline is not made anew', async () => {
  vi.useFakeTimers();
  try {
    const { search, trace } = await searched({ text: 'green' }, 2);
    search.isOnly = true;
    const before = search.only;
    search.refresh(trace);
    vi.advanceTimersByTime(1000);
    expect(search.only).toBe(before);
  } finally {
    vi.useRealTimers();
  }
});
