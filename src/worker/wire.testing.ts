/** What the tests of the worker's wire share: pages, and scenarios to play on them. */
import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import type { Scenario, ScriptedTurn } from '../scenario/types';
import { Page } from './page.testing';
import type { CommandBody } from './page.testing';

let pages: Page[] = [];
/** A page with a worker and a database of its own; all are closed after the test. */
export const page = (options?: ConstructorParameters<typeof Page>[0]) => {
  const made = new Page(options);
  pages.push(made);
  return made;
};
beforeEach(() => vi.stubGlobal('indexedDB', new IDBFactory()));
afterEach(async () => {
  await Promise.all(pages.map((one) => one.close()));
  pages = [];
  vi.unstubAllGlobals();
});

/** Long enough that no test sees its end by accident. */
export const hour = 3_600_000;
export const text = (value: string): ScriptedTurn => ({ blocks: [{ type: 'text', text: value }] });
export const call = (name: string, args: Record<string, unknown> = {}): ScriptedTurn => ({
  blocks: [{ type: 'toolCall', name, arguments: args }],
});
export const create = (
  more: Partial<Scenario> = {},
  turns: ScriptedTurn[] = [text('Hello.')],
): CommandBody => ({
  type: 'create',
  setup: {
    kind: 'scenario',
    scenario: {
      version: 1,
      title: 'Test',
      start: 'prompt',
      prompts: ['go'],
      model: { kind: 'scripted', turns },
      ...more,
    },
  },
});
/** Created, at full speed, and playing. */
export async function playing(one: Page, more?: Partial<Scenario>, turns?: ScriptedTurn[]): Promise<void> {
  await one.show(create(more, turns));
  await one.send({ type: 'speed', session: one.session, speed: Infinity });
  await one.send({ type: 'play', session: one.session });
}
/** The page got every record, in order. */
export const consecutive = (one: Page) =>
  expect(one.records.map(({ seq }) => seq)).toEqual(one.records.map((_, index) => index + 1));
export const stored = async (one: Page) => (await (await one.store).readRecords(one.session)).records;
/** Role and content of the transcript's messages. */
export const texts = (one: Page) =>
  one.trace.transcript.map((id) => {
    const body = one.trace.messages.get(id)?.body;
    return body && 'content' in body ? [body.role, body.content] : [];
  });
