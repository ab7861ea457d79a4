/** Recordings as a real loop writes them, step by step: for tests of where the loop stands. */
import type { HookDecision } from '../../loop/types';
import type { RecordedStep } from '../../records/types';
import { emptyUsage } from '../nodes';
import { Recording, type DecideValues, type Spoken } from './recording';

type PollAt = Extract<RecordedStep, { type: 'poll' }>['at'];

export class LoopRecording extends Recording {
  run = '';
  turn: string | undefined;
  #message = '';
  #results: string[] = [];

  /** A run up to the first request, which a prompt started. */
  begin(): this {
    this.run = this.startRun();
    this.nextTurn();
    this.inject(1);
    this.user(this.turn ?? '', 'Do it.');
    this.poll('start', 0);
    this.inject(0);
    return this;
  }

  nextTurn(): this {
    this.turn = this.startTurn(this.run);
    return this;
  }

  inject(pending: number, prepared = 0): this {
    this.step(this.run, this.turn, { type: 'inject', prepared, pending, tools: false });
    return this;
  }

  poll(at: PollAt, count: number): this {
    this.step(this.run, this.turn, {
      type: 'poll',
      queue: at === 'stop' ? 'followUp' : 'steering',
      at,
      count,
    });
    return this;
  }

  hook(name: string, decision?: HookDecision): this {
    const turn = this.turn === undefined ? {} : { turn: this.turn };
    this.add({
      type: 'hook',
      run: this.run,
      ...turn,
      name,
      durationMs: 1,
      ...(decision ? { decision } : {}),
    });
    return this;
  }

  /** The whole answer, which calls these tools. */
  answer(tools: string[] = [], spoken: Partial<Spoken> = {}): this {
    const calls = tools.map((name) => ({ type: 'toolCall' as const, name, arguments: {} }));
    const blocks = [{ type: 'text' as const, text: 'I look at it, then I write.' }, ...calls];
    this.#message = this.assistant(this.run, this.turn ?? '', { blocks, ...spoken });
    this.#results = [];
    return this;
  }

  batch(mode: 'parallel' | 'sequential' | 'refused', calls: number): this {
    const why = mode === 'refused' ? 'length' : 'default';
    this.step(this.run, this.turn, { type: 'batch', mode, why, calls });
    return this;
  }

  /** A call of the answer, from 0, that starts; its id. */
  call(place: number, name: string): string {
    const call = this.id('call');
    const ids = { turn: this.turn ?? '', message: this.#message, index: place + 1, toolCallId: call };
    this.add({ type: 'tool_execution_start', call, ...ids, toolName: name }, 0);
    return call;
  }

  execute(call: string, toolName: string): void {
    const turn = this.turn === undefined ? {} : { turn: this.turn };
    this.add({ type: 'step', run: this.run, ...turn, call, step: { type: 'execute', toolName } }, 0);
  }

  /** Lets time pass: something streams out of a call. */
  progress(call: string, ms: number): void {
    this.add({ type: 'tool_execution_update', call, append: '.' }, ms);
  }

  /** A call from its start to its result. */
  wholeCall(place: number, name: string): this {
    const call = this.call(place, name);
    this.execute(call, name);
    this.endCall(call, 'done');
    this.#results.push(this.result(this.turn ?? '', call, name));
    return this;
  }

  end(): this {
    this.endTurn(this.turn ?? '', this.#message, this.#results);
    return this;
  }

  decided(loop: 'inner' | 'outer', go: boolean, values: Partial<DecideValues> = {}): this {
    this.decide(this.run, loop === 'inner' ? this.turn : undefined, loop, go, values);
    // What follows belongs to no turn until the next one starts.
    this.turn = undefined;
    return this;
  }

  close(): this {
    this.endRun(this.run);
    return this;
  }

  /** What closes a run that a hook broke. */
  assistantFailure(): void {
    const turn = this.turn ?? this.startTurn(this.run);
    const failure = { role: 'assistant' as const, api: '', provider: '', model: '', usage: emptyUsage() };
    const body = { ...failure, content: [], stopReason: 'error' as const, errorMessage: 'no', timestamp: 1 };
    this.endTurn(turn, this.message({ turn, origin: 'failure' }, body));
    this.close();
  }
}
