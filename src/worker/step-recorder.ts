import type { LoopStep } from '../loop/types';
import type { ModelRef, RecordedStep } from '../records/types';
import { cloneable } from '../store';
import type { BlobWriter } from './blob-writer';
import { messageBody, modelRef } from './bodies';
import type { MessageIds } from './message-ids';
import type { RecordWriter } from './record-writer';
import type { RequestLog } from './request-log';

export interface StepRecorderOptions {
  writer: RecordWriter;
  blobs: BlobWriter;
  ids: MessageIds;
  requests: RequestLog;
  /** JSON of the arguments that the model sent with a call. */
  argumentsOf: (call: string) => string | undefined;
}

/** Ids of the rules that acted in a hook, and of the others that counted. */
export interface HookRules {
  acted: readonly string[];
  counted: readonly string[];
}

type Request = LoopStep & { type: 'request' };

/** Steps of the loop: requests and hooks have record types of their own. */
export class StepRecorder {
  readonly #options: StepRecorderOptions;
  #model: ModelRef | undefined;

  constructor(options: StepRecorderOptions) {
    this.#options = options;
  }

  /** The model that was asked last. */
  get model(): ModelRef | undefined {
    return this.#model;
  }

  /** `rules`: what they had to do with a hook. */
  step(step: LoopStep, { acted, counted }: HookRules = { acted: [], counted: [] }): void {
    const { runId: run, turnId: turn } = step;
    const place = { run, ...(turn === undefined ? {} : { turn }) };
    const call = 'callId' in step && step.callId !== undefined ? { call: step.callId } : {};
    const { writer } = this.#options;
    switch (step.type) {
      case 'request':
        return this.#request(step);
      case 'hook': {
        const { name, durationMs } = step;
        const decision = step.decision ? { decision: cloneable(step.decision) as typeof step.decision } : {};
        const rules = {
          ...(acted.length > 0 ? { rules: [...acted] } : {}),
          ...(counted.length > 0 ? { counted: [...counted] } : {}),
        };
        return writer.write({ type: 'hook', ...place, ...call, name, durationMs, ...decision, ...rules });
      }
      case 'execute':
        return writer.write({ type: 'step', ...place, ...call, step: this.#execute(step) });
      default: {
        const { runId: _run, turnId: _turn, ...recorded } = step;
        return writer.write({ type: 'step', ...place, step: recorded });
      }
    }
  }

  #execute({ toolName, callId, args }: LoopStep & { type: 'execute' }): RecordedStep {
    const same = JSON.stringify(args) === this.#options.argumentsOf(callId);
    return { type: 'execute', toolName, ...(same ? {} : { args: cloneable(args) as typeof args }) };
  }

  #request({ runId, turnId = '', messageId, model, thinkingLevel, context }: Request): void {
    const { writer, ids, blobs, requests } = this.#options;
    this.#model = modelRef(model);
    const messages = context.messages.map((message) => ids.get(message) ?? messageBody(message, { blobs }));
    writer.write({
      type: 'request',
      run: runId,
      turn: turnId,
      message: messageId,
      model: this.#model,
      thinkingLevel,
      ...requests.next(messages),
    });
  }
}
