/** The scripted stream function: it plays the turns of a scenario, in virtual time, the same way each time. */
import type { Model, StreamFn, TranscriptContext } from '../loop/types';
import { playback, type PlaybackOptions, type PlayedTurn } from './playback';
import { fallbackTurn } from './scripted-fallback';

export interface ScriptedModelOptions extends Pick<PlaybackOptions, 'sleep' | 'now'> {
  turns: readonly PlayedTurn[];
  /** The index of the turn that this request takes; called once a request. Past the end, the fallback answers. */
  next: () => number;
  /** Answers when the script is used up. Default: the small rules of `fallbackTurn`. */
  fallback?: (context: TranscriptContext) => PlayedTurn;
}

/** The model that a scripted session runs with: it needs no network and costs nothing. */
export const scriptedModelInfo: Model = {
  id: 'scripted',
  name: 'Scripted model',
  api: 'scripted',
  provider: 'epicycle',
  baseUrl: '',
  reasoning: true,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 200_000,
  maxTokens: 32_000,
};

/** A stream function that plays `turns`, one a request. Failures and aborts are final messages; it never throws. */
export function scriptedModel({
  turns,
  next,
  fallback = fallbackTurn,
  ...timing
}: ScriptedModelOptions): StreamFn {
  return (model, context, request) => {
    const answer = () => {
      const index = next();
      const callId = (place: number): string => `call_${index + 1}_${place}`;
      return { turn: turns[index] ?? fallback(context), callId };
    };
    return playback({ ...timing, answer }, model, context, request);
  };
}
