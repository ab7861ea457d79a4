import { beforeEach, describe, expect, test } from 'vitest';
import type { TraceRecord } from '../records/types';
import { blobsOf } from '../ui/export';
import { exportJsonl } from '../trace';
import { modelServer, says } from './model-server.testing';
import type { ModelServer } from './model-server.testing';
import type { Page } from './page.testing';
import { call, consecutive, page, playing, stored, text } from './wire.testing';

const endpoint = { baseUrl: 'http://model.test/v1', model: 'm', api: 'openai-chat' as const };
let server: ModelServer;
beforeEach(() => {
  server = modelServer();
});

async function exported(one: Page): Promise<string> {
  const store = await one.store;
  const info = await store.readSession(one.session);
  const { records } = await store.readRecords(one.session);
  return exportJsonl(info!, records, await blobsOf(records, (hash) => store.readBlob(hash)));
}
const imports = (one: Page, text: string) =>
  one.show({ type: 'importSession', file: new Blob([text]) } as const);

/** The file of a session with an endpoint, which has been answered once. */
async function liveFile(): Promise<string> {
  server.answers.push(says('One.'));
  const one = page();
  await one.show({ type: 'create', setup: { kind: 'live', endpoint, tools: [] } });
  await one.send({ type: 'prompt', session: one.session, text: 'Hello' });
  await one.settled();
  server.asked.length = 0;
  return exported(one);
}

/** As the file of a tab that went away: the records up to the first that `isLast`. */
function cutBehind(file: string, isLast: (record: TraceRecord) => boolean): string {
  const [header = '', ...lines] = file.trimEnd().split('\n');
  const records = lines.slice(0, lines.findIndex((line) => isLast(JSON.parse(line) as TraceRecord)) + 1);
  const counted = { ...(JSON.parse(header) as object), records: records.length };
  return [JSON.stringify(counted), ...records].join('\n');
}

describe('a session that is imported', () => {
  test('has the records and the files of the one that was exported, and goes on', async () => {
    const one = page();
    await playing(one, { tools: ['write', 'read'] }, [
      call('write', { path: 'a.txt', content: 'x'.repeat(5000) }),
      text('One.'),
      call('read', { path: 'a.txt' }),
      text('Two.'),
    ]);
    await one.settled();
    const { session } = one;
    const before = structuredClone(one.records);
    await imports(one, await exported(one));
    expect(one.session).not.toBe(session);
    expect(one.records).toEqual(before);
    expect(one.opened).toMatchObject({ info: { title: 'Test', state: 'idle' }, readOnly: false });
    await one.send({ type: 'deleteSession', session });
    await one.send({ type: 'speed', session: one.session, speed: Infinity });
    await one.send({ type: 'prompt', session: one.session, text: 'read it' });
    await one.settled(2);
    consecutive(one);
    expect([...one.trace.calls.values()].at(-1)).toMatchObject({ toolName: 'read', isError: false });
    expect(await stored(one)).toEqual(one.records);
  });

  test('whose run was open is closed as interrupted, and asks nobody', async () => {
    const file = cutBehind(await liveFile(), ({ type }) => type === 'request');
    const one = page();
    await imports(one, file);
    expect(one.trace.runs[0]?.status).toBe('interrupted');
    expect(server.asked).toEqual([]);
  });
});

describe('the endpoint of an imported session', () => {
  test('is asked nothing, whatever is done and after a reload too', async () => {
    const file = await liveFile();
    const one = page();
    await imports(one, file);
    const { session } = one;
    const refusal = { code: 'endpoint.unconfirmed', params: { address: endpoint.baseUrl } };
    const before = one.records.length;
    const message = one.trace.transcript[0] ?? '';
    await expect(one.send({ type: 'prompt', session, text: 'And?' })).rejects.toEqual(refusal);
    await expect(one.send({ type: 'editPrompt', session, message, text: 'Hi' })).rejects.toEqual(refusal);
    await one.send({ type: 'steer', session, text: 'More' });
    await expect(one.send({ type: 'continue', session })).rejects.toEqual(refusal);
    await one.send({ type: 'configure', session, thinkingLevel: 'high' });
    await one.send({ type: 'renameSession', session, title: 'Mine' });
    await one.close();
    const two = page();
    await two.show({ type: 'open', session });
    await expect(two.send({ type: 'prompt', session, text: 'And?' })).rejects.toEqual(refusal);
    expect(two.records.slice(before).map(({ type }) => type)).toEqual(['queue', 'config']);
    expect(server.asked).toEqual([]);
  });

  test('is asked nothing by a retry, which leaves what failed in its place', async () => {
    const one = page();
    await one.show({ type: 'create', setup: { kind: 'live', endpoint, tools: [] } });
    await one.send({ type: 'prompt', session: one.session, text: 'Hello' });
    await one.settled();
    const file = await exported(one);
    server.asked.length = 0;
    await imports(one, file);
    const before = one.records.length;
    await expect(one.send({ type: 'retry', session: one.session })).rejects.toMatchObject({
      code: 'endpoint.unconfirmed',
    });
    expect(await stored(one)).toHaveLength(before);
    expect(server.asked).toEqual([]);
  });

  test('is asked nothing when the file says that the session began with a script', async () => {
    const scripted = { id: 'script', provider: 'script', api: 'scripted', baseUrl: '' };
    const [header = '', ...lines] = (await liveFile()).trimEnd().split('\n');
    const first = { seq: 1, at: 0, type: 'config', set: { model: scripted } };
    const later = lines.map((line) => JSON.parse(line) as TraceRecord);
    const records = [first, ...later.map((record) => ({ ...record, seq: record.seq + 1 }))];
    const head = { ...(JSON.parse(header) as object), records: records.length };
    const one = page();
    await imports(one, [head, ...records].map((line) => JSON.stringify(line)).join('\n'));
    const { session } = one;
    await expect(one.send({ type: 'prompt', session, text: 'And?' })).rejects.toMatchObject({
      code: 'endpoint.unconfirmed',
    });
    await one.send({ type: 'play', session });
    expect(server.asked).toEqual([]);
  });

  test('is asked once a person has chosen it, now and after a reload', async () => {
    const file = await liveFile();
    const one = page();
    await imports(one, file);
    const { session } = one;
    await one.send({ type: 'configure', session, endpoint });
    await one.close();
    server.answers.push(says('Two.'));
    const two = page();
    expect((await two.show({ type: 'open', session })).info).not.toHaveProperty('endpointUnconfirmed');
    await two.send({ type: 'prompt', session, text: 'And?' });
    await two.settled(2);
    expect(server.asked).toHaveLength(1);
    expect(two.trace.runs[1]?.status).toBe('done');
  });
});

describe('a file that is no session', () => {
  test('is refused, nothing is stored of it, and what is open stays open', async () => {
    const file = await liveFile();
    const one = page();
    await playing(one);
    await one.settled();
    const { session } = one;
    const before = await one.send({ type: 'listSessions' });
    const header = (change: object) => file.replace(/^\{/, `{${JSON.stringify(change).slice(1, -1)},`);
    const refused = (text: string) =>
      expect(one.send({ type: 'importSession', file: new Blob([text]) })).rejects;
    await refused('# Notes').toEqual({ code: 'import.notOurs', params: {} });
    await refused(file.replace('"seq":2', '"seq":7')).toMatchObject({ code: 'import.record' });
    await refused(header({ scenario: { version: 1, title: 'No model' } })).toMatchObject({
      code: expect.stringMatching(/^scenario\./) as string,
    });
    await refused(' '.repeat(50_000_000)).toEqual({ code: 'import.tooLarge', params: { size: 48, max: 40 } });
    expect(await one.send({ type: 'listSessions' })).toEqual(before);
    await one.send({ type: 'prompt', session, text: 'Still there?' });
    await one.settled(2);
  });
});
