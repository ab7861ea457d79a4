/** Random but plausible sessions: everything that can be recorded, in orders that can happen. */
import fc from 'fast-check';
import type { QueueName, StopReason } from '../../loop/types';
import { Recording, userBody, type Spoken, type SpokenCall } from './recording';

/** A number from 0 to `below - 1`; 0 is always the plainest choice. */
type Choose = (below: number) => number;

/** Sessions of up to a few hundred records. Shrinks towards short, plain ones. */
export function randomSession(): fc.Arbitrary<Recording> {
  return fc.array(fc.nat(), { maxLength: 250 }).map((tape) => {
    let next = 0;
    return sessionFrom((below) => (tape[next++] ?? 0) % below);
  });
}

const QUEUES: QueueName[] = ['steering', 'followUp'];

function sessionFrom(choose: Choose): Recording {
  const recording = new Recording();
  recording.add({ type: 'config', set: { systemPrompt: 'Be brief.', tools: ['read'] } }, 0);
  recording.add({ type: 'file_change', path: '/a.txt', by: 'start', after: { text: 'one' } }, 0);
  if (choose(3) === 1) recording.message({ origin: 'history' }, userBody('before'));
  const session = new Session(recording, choose);
  for (let left = choose(4); left >= 0; left--) session.run();
  return recording;
}

class Session {
  constructor(
    private readonly recording: Recording,
    private readonly choose: Choose,
  ) {}

  run(): void {
    const { recording, choose } = this;
    const run = recording.startRun((['prompt', 'request', 'steering', 'followUp'] as const)[choose(4)]);
    recording.step(run, undefined, { type: 'poll', queue: 'steering', at: 'start', count: 0 });
    let outcome: StopReason = 'stop';
    for (let left = choose(4); left >= 0; left--) {
      outcome = this.turn(run, left === 0);
      if (outcome === 'pending') return this.interrupt();
      if (outcome === 'error' || outcome === 'aborted') break;
    }
    recording.decide(run, undefined, 'outer', false, { stopReason: outcome });
    recording.endRun(run);
    if (outcome === 'error' && choose(2) === 1) this.rewind();
    this.act(run);
  }

  /** One turn; returns its stop reason, `pending` when the tab goes away inside it. */
  private turn(run: string, last: boolean): StopReason {
    const { recording, choose } = this;
    const turn = recording.startTurn(run);
    this.inject(run, turn);
    this.act(run);
    const spoken = this.speech(last);
    if (choose(12) === 11) {
      const message = recording.request(run, turn);
      recording.add({ type: 'message_start', message, turn, role: 'assistant', origin: 'model' });
      recording.stream(message, spoken);
      return 'pending';
    }
    const message = recording.assistant(run, turn, spoken);
    const stopReason = spoken.stopReason ?? 'stop';
    if (stopReason === 'error' || stopReason === 'aborted') {
      recording.endTurn(turn, message);
      return stopReason;
    }
    const results = this.batch(run, turn, message, spoken);
    if (!results) return 'pending';
    recording.add({ type: 'hook', run, turn, name: 'finishTurn', durationMs: 1 });
    recording.endTurn(turn, message, results);
    recording.decide(run, turn, 'inner', !last, { stopReason, toolResults: results.length });
    return stopReason;
  }

  private inject(run: string, turn: string): void {
    const { recording, choose } = this;
    const queue = QUEUES[choose(2)] ?? 'steering';
    const ids = recording.queues[queue].slice(0, choose(3));
    recording.step(run, turn, { type: 'poll', queue, at: 'turnEnd', count: ids.length });
    if (ids.length > 0) recording.unqueue(queue, 'drain', ids);
    for (const id of ids) recording.user(turn, `joined ${id}`, queue, id);
    if (recording.transcript.length === 0) recording.user(turn, 'Do it.');
  }

  private speech(last: boolean): Spoken {
    const { choose } = this;
    const chunk = [8, 3, 0][choose(3)] ?? 8;
    const blocks: Spoken['blocks'] = [{ type: 'text', text: 'I look at it, then I write.' }];
    if (choose(2) === 1) blocks.unshift({ type: 'thinking', text: 'Which file?' });
    if (last)
      return { blocks, chunk, stopReason: (['stop', 'length', 'error', 'aborted'] as const)[choose(4)]! };
    for (let calls = 1 + choose(3); calls > 0; calls--)
      blocks.push({ type: 'toolCall', name: 'read', arguments: { path: `/${choose(9)}.txt` } });
    return { blocks, chunk, stopReason: 'toolUse' };
  }

  /** The results' ids, or undefined when the tab went away with calls open. */
  private batch(run: string, turn: string, message: string, { blocks }: Spoken): string[] | undefined {
    const { recording, choose } = this;
    const asked = blocks.flatMap((block, index) => (block.type === 'toolCall' ? [{ block, index }] : []));
    const calls = asked.map(({ block, index }) => this.startCall(run, turn, message, index, block));
    this.act(run);
    if (choose(12) === 11) return undefined;
    const order = choose(2) === 1 ? calls.toReversed() : calls;
    for (const call of order) {
      const nested = choose(4) === 3 ? recording.startNested(call, 'read') : undefined;
      if (nested !== undefined && choose(3) === 2) this.ask(nested);
      recording.add({
        type: 'tool_execution_update',
        call,
        partial: { content: [{ type: 'text', text: 'a' }] },
      });
      recording.add({ type: 'tool_execution_update', call, append: 'b' });
      if (nested !== undefined && choose(3) < 2) recording.endNested(nested, 'of it', choose(4) === 3);
      recording.endCall(call, 'all of it', choose(4) === 3);
    }
    return calls.map((call) => recording.result(turn, call, 'read'));
  }

  private startCall(run: string, turn: string, message: string, index: number, block: SpokenCall): string {
    const { recording, choose } = this;
    const call = recording.startCall(run, turn, message, index, block.name);
    const extra = choose(4);
    if (extra === 1)
      recording.add({
        type: 'hook',
        run,
        turn,
        call,
        name: 'beforeToolCall',
        durationMs: 2,
        decision: { block: true },
      });
    // One file, or more than stand unfolded.
    if (extra === 2)
      for (let left = choose(2) * 4; left >= 0; left--)
        recording.add({
          type: 'file_change',
          path: `/b${left}.txt`,
          by: 'tool',
          call,
          after: { text: 'two' },
        });
    if (extra === 3) this.ask(call);
    return call;
  }

  private ask(call: string): void {
    const { recording, choose } = this;
    const ask = recording.id('ask');
    const subject = { toolName: 'read', args: {} };
    if (choose(2) === 0) {
      recording.add({ type: 'permission', ask, call, state: 'asked', subject });
      if (choose(2) === 0) recording.add({ type: 'permission', ask, state: 'allowed', by: 'person' });
    } else {
      recording.add({ type: 'answer', ask, call, state: 'asked', subject });
      if (choose(2) === 0)
        recording.add({ type: 'answer', ask, state: 'answered', text: 'yes', by: 'person' });
    }
  }

  /** What a person may do at any time. */
  private act(run: string): void {
    const { recording, choose } = this;
    const queue = QUEUES[choose(2)] ?? 'steering';
    const other = queue === 'steering' ? 'followUp' : 'steering';
    const id = recording.queues[queue][0];
    switch (choose(13)) {
      case 1:
      case 2:
        recording.enqueue(queue, 'please');
        return;
      case 3:
        if (id) recording.unqueue(queue, 'remove', [id]);
        return;
      case 4:
        if (id)
          recording.add({
            type: 'queue',
            queue,
            why: 'edit',
            add: [{ id, message: userBody('now'), index: 0 }],
          });
        return;
      case 5:
        recording.queues[queue].reverse();
        recording.add({ type: 'queue', queue, why: 'reorder', order: [...recording.queues[queue]] });
        return;
      case 6:
        if (!id) return;
        recording.unqueue(queue, 'move', [id]);
        recording.queues[other].unshift(id);
        recording.add({
          type: 'queue',
          queue: other,
          why: 'move',
          add: [{ id, message: userBody('moved'), index: 0 }],
        });
        return;
      case 7:
        recording.unqueue(queue, 'clear', [...recording.queues[queue]]);
        return;
      case 8:
        recording.add({ type: 'pause' });
        recording.add({ type: 'resume' }, 500);
        return;
      case 9:
        recording.add({ type: 'abort', run });
        return;
      case 10:
        recording.add({ type: 'config', set: { thinkingLevel: 'high' } });
        return;
      case 11:
        for (let left = choose(3); left >= 0; left--) this.file(`/c${choose(4)}.txt`, 'by hand');
        return;
      case 12:
        this.file('/c1.txt', undefined);
        this.file('/d.txt', 'by hand');
    }
  }

  private file(path: string, text: string | undefined): void {
    const { recording, choose } = this;
    const after = text === undefined ? {} : { after: { text } };
    recording.add({ type: 'file_change', path, by: 'person', ...after }, choose(3) === 2 ? 2000 : 0);
  }

  private interrupt(): void {
    this.recording.add({ type: 'interrupted' });
  }

  private rewind(): void {
    const drop = this.recording.transcript.splice(-1);
    this.recording.add({ type: 'rewind', why: 'retry', drop });
  }
}
