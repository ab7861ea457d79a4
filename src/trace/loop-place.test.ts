import { readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceRecord } from '../records/types';
import { shippedIds, loadShipped } from '../scenario/shipped';
import { runScenario } from '../worker/run-scenario';
import { emptyTrace, fold, foldInto } from './fold';
import { legOf, loopPlace } from './loop-place';
import { loopLines } from './loop-stations';
import { LoopRecording } from './testing/loop-recording';
import { randomSession } from './testing/random-session';

const samples = new URL('../../public/samples/', import.meta.url);

function placeOf({ records }: LoopRecording) {
  return loopPlace(fold(records));
}

/** The place after every record. */
function places(records: readonly TraceRecord[]) {
  const trace = emptyTrace();
  return records.map((record) => loopPlace(foldInto(trace, [record])));
}

function played(id: string): Promise<TraceRecord[]> {
  return loadShipped(id).then((scenario) =>
    runScenario(scenario, { loadSample: (path) => readFile(new URL(path, samples)) }),
  );
}

describe('the way through a shipped scenario', () => {
  it('passes each station in the order of the loop, through both loops', async () => {
    const stations: string[] = [];
    for (const { station, state, pass, turn } of places(await played('both-at-once'))) {
      const here = state === 'running' && station ? `${pass}.${turn} ${station}` : state;
      if (here !== stations.at(-1)) stations.push(here);
    }
    const turnEnd = ['finishTurn', 'pollSteering', 'innerGoOn'];
    const turn = (n: string, ...way: string[]) => way.map((station) => `${n} ${station}`);
    expect(stations).toEqual([
      'empty',
      ...turn('1.0', 'start'),
      ...turn('1.1', 'start', 'pollStart', 'inject', 'stream', 'tools', ...turnEnd),
      ...turn('1.2', 'turnStart', 'inject', 'stream', 'tools', ...turnEnd, 'pollPrepare'),
      ...turn('1.3', 'turnStart', 'inject', 'stream', ...turnEnd, 'pollFollowUp', 'outerGoOn'),
      ...turn('2.4', 'turnStart', 'inject', 'stream', 'tools', ...turnEnd, 'pollPrepare'),
      ...turn('2.5', 'turnStart', 'inject', 'stream', ...turnEnd, 'pollFollowUp', 'outerGoOn'),
      'settling',
      'done',
    ]);
  });

  it.each(shippedIds)(
    'shows before each decision of %s what it looked at, and after it the way it takes',
    async (id) => {
      const all = places(await played(id));
      for (const [index, place] of all.entries()) {
        const { station, ahead, condition } = place;
        if (place.state !== 'running' || (station !== 'innerGoOn' && station !== 'outerGoOn')) continue;
        const next = all.slice(index + 1).find((later) => later.station !== station);
        expect(condition?.terms.length).toBeGreaterThan(0);
        const taken = next?.state === 'settling' ? 'stop' : next?.station === 'pollFollowUp' ? 'no' : 'back';
        expect(taken).toBe({ yes: 'back', return: 'back', no: 'no', stop: 'stop' }[String(ahead[0])]);
      }
    },
  );
});

describe('the place in words of the table', () => {
  const begun = () => new LoopRecording().begin();
  const asked = () =>
    begun().answer(['read', 'edit']).batch('parallel', 2).wholeCall(0, 'read').wholeCall(1, 'edit');

  it.each([
    ['the start', () => new LoopRecording(), { state: 'empty', turn: 0, pass: 0, travelled: [] }],
    ['a prompt', begun, { station: 'inject', line: 'inject', travelled: ['lead', 'entry', 'inner'] }],
    ['a hook before the request', () => begun().hook('prepareRequest'), { station: 'prepareRequest' }],
    ['a hook of the request', () => begun().hook('transformContext'), { station: 'stream', line: 'stream' }],
    ['the finishTurn hook', () => asked().hook('finishTurn'), { station: 'finishTurn', line: 'finishTurn' }],
    ['the end of a turn', () => asked().end(), { station: 'finishTurn', line: 'turnEnd' }],
    [
      'a poll',
      () => asked().end().poll('turnEnd', 0),
      { station: 'pollSteering', line: 'pollTurnEnd', ahead: [] },
    ],
    [
      'an inner yes',
      () => asked().end().decided('inner', true, { toolResults: 2 }),
      { station: 'innerGoOn', ahead: ['yes'] },
    ],
    [
      'an inner no',
      () => asked().end().decided('inner', false),
      { station: 'innerGoOn', line: 'while', ahead: ['no'] },
    ],
    [
      'prepareNextTurn after a yes',
      () => asked().end().decided('inner', true).hook('prepareNextTurn'),
      {
        station: 'prepareNextTurn',
        line: 'prepareNextTurn',
        travelled: ['inner', 'yes'],
        ahead: ['yes'],
      },
    ],
    [
      'prepareNextTurn after another pass',
      () =>
        asked()
          .end()
          .decided('inner', false)
          .poll('stop', 1)
          .decided('outer', true, { followUps: 1 })
          .hook('prepareNextTurn'),
      { station: 'prepareNextPass', line: 'prepareNextTurn', ahead: ['return', 'entry'] },
    ],
    [
      'the second turn',
      () => asked().end().decided('inner', true).nextTurn(),
      { station: 'turnStart', line: 'turnStart', turn: 2, travelled: ['yes', 'inner'] },
    ],
    [
      'the second pass',
      () =>
        asked()
          .end()
          .decided('inner', false)
          .poll('stop', 1)
          .decided('outer', true, { followUps: 1 })
          .nextTurn(),
      { station: 'turnStart', pass: 2, travelled: ['return', 'entry', 'inner'] },
    ],
    [
      'the second turn of the second pass',
      () =>
        asked()
          .end()
          .decided('inner', false)
          .poll('stop', 1)
          .decided('outer', true, { followUps: 1 })
          .nextTurn()
          .decided('inner', true)
          .nextTurn(),
      { station: 'turnStart', pass: 2, travelled: ['yes', 'inner'] },
    ],
    [
      'an outer yes for a follow-up',
      () => asked().end().decided('inner', false).poll('stop', 1).decided('outer', true, { followUps: 1 }),
      { station: 'outerGoOn', line: 'again', ahead: ['return', 'entry'] },
    ],
    [
      'an outer yes of finishTurn',
      () => asked().end().decided('inner', false).decided('outer', true, { finishTurn: 'continue' }),
      { station: 'outerGoOn', line: 'continued' },
    ],
    [
      'an outer no',
      () => asked().end().decided('inner', false).poll('stop', 0).decided('outer', false, { followUps: 0 }),
      {
        station: 'outerGoOn',
        line: 'continued',
        ahead: ['stop'],
        condition: { terms: [['decision', 'none']], result: false },
      },
    ],
    [
      'the end',
      () => asked().end().decided('inner', false).decided('outer', false).close(),
      { state: 'done', station: 'stop', line: 'stop' },
    ],
  ] as const)('after %s', (_name, recording, expected) => {
    expect(placeOf(recording())).toMatchObject(expected);
  });

  it('takes the first injection for the prompt, and none when a request began the run', () => {
    expect(placeOf(begun()).values).toMatchObject({ prompts: '1', pollStart: '0', inject: '0' });
    const continued = new LoopRecording();
    continued.run = continued.startRun('request');
    continued.nextTurn().poll('start', 1).inject(1);
    expect(placeOf(continued).values).toEqual({ pollStart: '1', inject: '1' });
  });

  it('says what a batch that terminates looked at', () => {
    const place = placeOf(
      asked().end().poll('turnEnd', 0).decided('inner', false, { toolResults: 2, terminated: true }),
    );
    expect(place.condition).toEqual({
      terms: [
        ['more', 'false: all terminate'],
        ['pending', '0'],
      ],
      result: false,
    });
  });

  it('asks for no more when all results of a batch terminate, though there are results', () => {
    const more = (...terminates: boolean[]) => {
      const recording = begun().answer(['read', 'edit']).batch('parallel', 2);
      for (const [index, terminate] of terminates.entries())
        recording.endCall(recording.call(index, 'read'), 'done', false, { terminate });
      return placeOf(recording).values.more;
    };
    expect([more(true), more(true, false), more(true, true)]).toEqual([
      undefined,
      'true',
      'false: all terminate',
    ]);
  });

  it('says that an answer was cut off at the limit of its tokens', () => {
    const place = placeOf(begun().answer(['read'], { stopReason: 'length' }));
    expect(place).toMatchObject({ stream: { isCutOff: true }, values: { stream: 'length: cut off' } });
    expect(placeOf(begun().answer()).stream).not.toHaveProperty('isCutOff');
  });

  it('shows what the lines of the turn made, and forgets it at the next turn', () => {
    const recording = asked().hook('finishTurn', { action: 'continue' }).end().poll('turnEnd', 1);
    recording.decided('inner', true, { toolResults: 2, pending: 1 });
    expect(placeOf(recording).values).toMatchObject({
      stream: 'toolUse',
      tools: '2',
      more: 'true',
      finishTurn: 'continue',
      broken: 'false',
      pollTurnEnd: '1',
      while: 'true',
    });
    expect(placeOf(recording.nextTurn()).values).toEqual({});
  });

  it('carries what a poll took until it is injected, also into the next turn', () => {
    const recording = asked().end().poll('turnEnd', 1);
    const carried = { carried: { queue: 'steering', count: 1 } };
    expect(placeOf(recording)).toMatchObject(carried);
    expect(placeOf(recording.decided('inner', true, { pending: 1 }).nextTurn())).toMatchObject(carried);
    expect(placeOf(recording.inject(1)).carried).toBeUndefined();
  });

  it('goes on from messages and calls alone where no steps were recorded', () => {
    const records = asked()
      .end()
      .records.filter(({ type }) => type !== 'step' && type !== 'hook' && type !== 'request');
    const stations = places(records).map(({ station }) => station);
    expect([...new Set(stations)]).toEqual(['start', 'inject', 'stream', 'tools', 'finishTurn']);
  });
});

describe('a run that is cut off', () => {
  const broken = (stopReason: 'error' | 'aborted') => {
    const recording = new LoopRecording().begin();
    recording.enqueue('steering', 'wait');
    return recording
      .answer([], { stopReason })
      .hook('finishTurn')
      .end()
      .decided('inner', false, { stopReason });
  };

  it.each(['error', 'aborted'] as const)('by %s is cut at the stream, and its queues are stranded', (how) => {
    expect(placeOf(broken(how))).toMatchObject({
      state: 'running',
      station: 'finishTurn',
      cut: { how, station: 'stream' },
    });
    expect(placeOf(broken(how).close())).toMatchObject({
      state: how,
      station: 'stream',
      line: 'broken',
      condition: { result: true },
      cut: { how, station: 'stream' },
      queues: { steering: [{ text: 'wait', stranded: true }] },
    });
  });

  it('by finishTurn is cut behind it', () => {
    const recording = new LoopRecording().begin().answer(['read']).batch('parallel', 1).wholeCall(0, 'read');
    recording
      .hook('finishTurn', { action: 'end' })
      .end()
      .decided('inner', false, { finishTurn: 'end' })
      .close();
    expect(placeOf(recording)).toMatchObject({
      state: 'done',
      station: 'finishTurn',
      line: 'broken',
      cut: { how: 'ended', station: 'finishTurn' },
    });
  });

  it('by a hook that throws is cut where that was, not at the failure message', () => {
    const recording = new LoopRecording().begin().hook('prepareRequest', { error: 'no' });
    recording.assistantFailure();
    expect(placeOf(recording)).toMatchObject({
      state: 'error',
      station: 'prepareRequest',
      cut: { how: 'error', station: 'prepareRequest' },
    });
  });

  it('by a page that went away is cut where it stood', () => {
    const recording = new LoopRecording().begin().answer(['read']).batch('parallel', 1);
    recording.call(0, 'read');
    recording.add({ type: 'interrupted' });
    expect(placeOf(recording)).toMatchObject({
      state: 'interrupted',
      cut: { how: 'interrupted', station: 'tools' },
      batch: { done: 0 },
      values: { tools: '0 of 1' },
    });
    expect(placeOf(recording).batch?.progress).toBeLessThan(1);
  });
});

describe('the batch', () => {
  const begun = (mode: 'parallel' | 'sequential' | 'refused', tools: string[]) =>
    new LoopRecording().begin().answer(tools).batch(mode, tools.length);

  it('has all calls of the answer from its start', () => {
    expect(placeOf(begun('parallel', ['read', 'edit'])).batch).toEqual({
      mode: 'parallel',
      calls: [
        { tool: 'read', phase: 'waiting', hasRun: false, isError: false },
        { tool: 'edit', phase: 'waiting', hasRun: false, isError: false },
      ],
      done: 0,
      asksForMore: false,
      progress: 0,
    });
  });

  it('tells waiting, asking and running apart', () => {
    const recording = begun('parallel', ['edit', 'read']);
    const edit = recording.call(0, 'edit');
    const place = { run: recording.run, turn: recording.turn ?? '', call: edit };
    recording.add({
      type: 'permission',
      ask: 'ask',
      call: edit,
      state: 'asked',
      subject: { toolName: 'edit', args: {} },
    });
    expect(placeOf(recording).batch?.calls.map(({ phase }) => phase)).toEqual(['asking', 'waiting']);
    recording.add({ type: 'permission', ask: 'ask', state: 'allowed', by: 'person' }, 299);
    recording.add({ type: 'hook', ...place, name: 'beforeToolCall', durationMs: 300 }, 0);
    const read = recording.call(1, 'read');
    expect(placeOf(recording).batch?.calls[0]?.phase).toBe('waiting');
    recording.execute(edit, 'edit');
    recording.execute(read, 'read');
    recording.progress(edit, 100);
    expect(placeOf(recording).batch?.calls.map(({ phase }) => phase)).toEqual(['running', 'running']);
  });

  it('is half-way from its first call until the last one has ended, however long they take', () => {
    const recording = begun('sequential', ['read', 'bash']);
    expect(placeOf(recording).batch?.progress).toBe(0);
    recording.wholeCall(0, 'read');
    expect(placeOf(recording).batch).toMatchObject({
      done: 1,
      calls: [
        { phase: 'done', hasRun: true },
        { phase: 'waiting', hasRun: false },
      ],
      progress: 0.5,
    });
    recording.wholeCall(1, 'bash');
    expect(placeOf(recording).batch).toMatchObject({ done: 2, progress: 1 });
  });

  it('has not run the calls that were refused', () => {
    const recording = begun('refused', ['read']);
    recording.endCall(recording.call(0, 'read'), 'not run', true);
    expect(placeOf(recording).batch?.calls).toMatchObject([{ phase: 'done', hasRun: false, isError: true }]);
  });
});

it('the stream fills its arc with its deltas, and whole at its end', async () => {
  const progress = places(await played('one-turn')).flatMap(({ stream, station }) =>
    stream && station === 'stream' ? [stream.progress] : [],
  );
  expect(progress[0]).toBe(0);
  expect(progress).toEqual(progress.toSorted((a, b) => a - b));
  expect(progress.at(-1)).toBe(1);
  expect(progress.filter((part) => part < 1).every((part) => part <= 0.96)).toBe(true);
});

it('the cards are the queues in their order, each by its first line', () => {
  const recording = new LoopRecording().begin();
  recording.enqueue('steering', 'first\nand more');
  recording.enqueue('steering', 'second');
  recording.enqueue('followUp', 'later');
  const { queues } = placeOf(recording);
  expect(queues.steering.map(({ text }) => text)).toEqual(['first', 'second']);
  expect(queues.followUp.map(({ text }) => text)).toEqual(['later']);
  expect(queues.steering.map(({ stranded }) => stranded)).toEqual([false, false]);
});

it('of two cards, the one that the run left behind is stranded, and not the one that was queued after it', () => {
  const recording = new LoopRecording().begin().answer([], { stopReason: 'aborted' });
  recording.enqueue('steering', 'left behind');
  recording.end().decided('inner', false, { stopReason: 'aborted' }).close();
  recording.enqueue('followUp', 'for the next run');
  const { steering, followUp } = placeOf(recording).queues;
  expect([...steering, ...followUp].map(({ stranded }) => stranded)).toEqual([true, false]);
});

it('the context has what the next request sends, each message by where it came from', () => {
  const recording = new LoopRecording().begin();
  recording.answer(['read']).batch('parallel', 1).wholeCall(0, 'read').end();
  expect(placeOf(recording).context).toMatchObject({
    count: 3,
    last: [{ kind: 'user' }, { kind: 'assistant' }, { kind: 'tool' }],
  });
});

it('a card is fresh when it was queued just now, and not later', () => {
  const recording = new LoopRecording().begin();
  recording.enqueue('steering', 'wait');
  expect(placeOf(recording).queues.steering[0]?.isFresh).toBe(true);
  recording.add({ type: 'pause' }, 1000);
  expect(placeOf(recording).queues.steering[0]?.isFresh).toBe(false);
});

it('stands on a line and a station of the map after any record of any session, and its way leads there', () => {
  fc.assert(
    fc.property(randomSession(), ({ records }) => {
      for (const place of places(records)) {
        if (place.state === 'empty') continue;
        expect(loopLines).toContain(place.line);
        expect(place.travelled.at(-1)).toBe(place.station && legOf(place.station));
        if (place.ahead.length > 0) expect(place.state).toBe('running');
        for (const { phase, hasRun } of place.batch?.calls ?? [])
          if (phase === 'running') expect(hasRun).toBe(true);
      }
    }),
    { numRuns: 60 },
  );
});
