import { AbortGrace, abandoned } from './abort-grace';
import { AgentError } from './errors';
import { askHook } from './hook-step';
import { emptyAssistantMessage } from './run';
import type { Run } from './run';
import { normalizeContext } from './transcript';
import type {
  AssistantMessage,
  AssistantMessageEvent,
  AssistantMessageEventStream,
  Message,
  StreamFn,
  StreamOptions,
  TranscriptContext,
} from './types';

const STREAM_ABORT_GRACE_MS = 500;

/** The finished message of one model response; it is in the context already. */
export interface ModelResponse {
  message: AssistantMessage;
  messageId: string;
}

/** Asks the model once and streams its answer into the context. Rejects when a hook or the stream function throws. */
export async function modelResponse(run: Run): Promise<ModelResponse> {
  const { streamFn } = run;
  if (!streamFn)
    throw new AgentError('noStreamFunction', 'No stream function was given: there is no model to ask.');
  const context = normalizeContext({ messages: await requestMessages(run) });
  const options = await streamOptions(run);
  const messageId = run.newId();
  const report = run.report;
  if (report)
    await report({
      type: 'request',
      messageId,
      model: run.model,
      thinkingLevel: run.reasoning ?? 'off',
      context,
    });
  return { message: await new LiveMessage(run, messageId).receive(streamFn, context, options), messageId };
}

/** What this request sees of the context. Hooks get copies of the list: the transcript is not theirs to change. */
async function requestMessages(run: Run): Promise<Message[]> {
  const all = [...run.context.messages];
  const { config } = run;
  const seen = config.transformContext
    ? await askHook(
        run,
        'transformContext',
        () => config.transformContext?.([...all], run.signal) ?? all,
        (messages) => {
          const same =
            messages.length === all.length && messages.every((message, index) => message === all[index]);
          return same ? undefined : { replaced: ['messages'], messages: messages.length };
        },
      )
    : all;
  return await config.convertToLlm(seen);
}

/** The loop's own configuration goes along, so that a stream function can read what the host put there. */
async function streamOptions(run: Run): Promise<StreamOptions> {
  const { config, model, signal, reasoning } = run;
  const key = config.getApiKey
    ? await askHook(
        run,
        'getApiKey',
        () => config.getApiKey?.(model.provider),
        () => undefined,
      )
    : undefined;
  const options: StreamOptions = { ...config };
  delete options.reasoning;
  if (key) options.apiKey = key;
  if (reasoning) options.reasoning = reasoning;
  if (signal) options.signal = signal;
  return options;
}

/** The answer as it grows: one entry of the context, from the stream's start to its final message. */
class LiveMessage {
  readonly #run: Run;
  readonly #messageId: string;
  #partial: AssistantMessage | undefined;
  /** Where the message stands in the context, once it has started. */
  #index = -1;

  constructor(run: Run, messageId: string) {
    this.#run = run;
    this.#messageId = messageId;
  }

  async receive(
    streamFn: StreamFn,
    context: TranscriptContext,
    options: StreamOptions,
  ): Promise<AssistantMessage> {
    const run = this.#run;
    const { streamAbortGraceMs = STREAM_ABORT_GRACE_MS, setTimer } = run.config;
    const grace = new AbortGrace(run.signal, streamAbortGraceMs, setTimer);
    try {
      const stream = await grace.race((async () => streamFn(run.model, context, options))());
      const ended = stream === abandoned ? abandoned : await this.#read(stream, grace);
      return await this.#finish(ended === abandoned ? this.#aborted() : ended);
    } finally {
      grace.dispose();
    }
  }

  async #read(
    stream: AssistantMessageEventStream,
    grace: AbortGrace,
  ): Promise<AssistantMessage | typeof abandoned> {
    const iterator = stream[Symbol.asyncIterator]();
    let exhausted = false;
    try {
      for (;;) {
        const next = await grace.race(iterator.next());
        if (next === abandoned) return abandoned;
        exhausted = next.done === true;
        // Iteration that just ends is as good as done: the final message says how it went.
        if (next.done || next.value.type === 'done' || next.value.type === 'error') break;
        await this.#show(next.value);
      }
      return await grace.race(stream.result());
    } finally {
      // Not awaited: a stream that hangs would hang here too.
      if (!exhausted) closeQuietly(iterator);
    }
  }

  async #show(event: Exclude<AssistantMessageEvent, { type: 'done' | 'error' }>): Promise<void> {
    const { messages } = this.#run.context;
    if (event.type === 'start') {
      if (this.#partial) return;
      this.#partial = event.partial;
      this.#index = messages.push(event.partial) - 1;
      await this.#emitStart(event.partial);
    } else if (this.#partial) {
      this.#partial = event.partial;
      messages[this.#index] = event.partial;
      await this.#run.emit({
        type: 'message_update',
        messageId: this.#messageId,
        message: { ...event.partial },
        assistantMessageEvent: event,
      });
    }
  }

  async #finish(result: AssistantMessage): Promise<AssistantMessage> {
    const run = this.#run;
    const message = { ...result, thinkingLevel: run.reasoning ?? 'off' };
    run.newMessages.push(message);
    if (this.#partial) {
      run.context.messages[this.#index] = message;
    } else {
      run.context.messages.push(message);
      await this.#emitStart(message);
    }
    await run.emit({ type: 'message_end', messageId: this.#messageId, origin: 'model', message });
    return message;
  }

  async #emitStart(message: AssistantMessage): Promise<void> {
    await this.#run.emit({
      type: 'message_start',
      messageId: this.#messageId,
      origin: 'model',
      message: { ...message },
    });
  }

  /** What came before the abort, for a stream that did not end by itself. Copied, since the stream may still write. */
  #aborted(): AssistantMessage {
    const errorMessage = 'Request was aborted';
    if (!this.#partial) return emptyAssistantMessage(this.#run, 'aborted', errorMessage);
    const content = this.#partial.content.map((block) => ({ ...block }));
    return { ...this.#partial, content, stopReason: 'aborted', errorMessage };
  }
}

function closeQuietly(iterator: AsyncIterator<unknown>): void {
  // The message is final by now, or the run has failed with an error of its own: nobody could use this one.
  Promise.resolve(iterator.return?.()).catch(() => undefined);
}
