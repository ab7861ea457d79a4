/** Be the model: a request waits until a person has written its answer, which then streams like any other. */
import type { Model, StreamFn, TranscriptContext } from '../loop/types';
import { playback, type PlaybackOptions, type PlayedTurn } from './playback';

/** What the person answers: plain data. Without a speed the whole answer comes at once. */
export type ManualAnswer = Pick<PlayedTurn, 'blocks' | 'stopReason' | 'errorMessage' | 'chunk' | 'gapMs'>;

export interface ManualModelOptions extends Pick<PlaybackOptions, 'sleep' | 'now'> {
  /**
   * Shows the request and resolves with its answer. `id` tells the requests of this stream function apart. After an abort
   * nobody waits for the answer any more; a rejection is the error that the answer ends with.
   */
  ask: (request: ManualRequest, signal?: AbortSignal) => Promise<ManualAnswer>;
}
export interface ManualRequest {
  id: string;
  context: TranscriptContext;
}

/** The person as a model: no network, no cost. */
export const manualModelInfo: Model = {
  id: 'manual',
  name: 'You',
  api: 'manual',
  provider: 'epicycle',
  baseUrl: '',
  reasoning: true,
  input: ['text', 'image'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 200_000,
  maxTokens: 32_000,
};

/** A stream function whose answers a person writes. Failures and aborts are final messages; it never throws. */
export function manualModel({ ask, ...timing }: ManualModelOptions): StreamFn {
  let requests = 0;
  return (model, context, request) => {
    const id = String(++requests);
    const callId = (place: number): string => `call_${context.messages.length}_${place}`;
    const answer = async (signal: AbortSignal | undefined) => {
      const {
        chunk = Infinity,
        gapMs = 0,
        ...written
      } = await untilAborted(() => ask({ id, context }, signal), signal);
      return { turn: { ...written, chunk, gapMs, firstTokenMs: 0 }, callId };
    };
    return playback({ ...timing, answer }, model, context, request);
  };
}

/** An abort ends the wait whether or not `work` looks at the signal. */
function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const aborted = () => reject(signal?.reason as Error);
    if (signal?.aborted) return aborted();
    signal?.addEventListener('abort', aborted, { once: true });
    void work()
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener('abort', aborted));
  });
}
