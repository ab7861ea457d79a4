import type { AgentTool } from '../loop/types';
import { pickArguments, textArgument } from './arguments';

export interface AskDetails {
  question: string;
  answer: string;
}

/** Resolves to what the person answers; on abort it rejects at once. */
export type Ask = (question: string, signal?: AbortSignal) => Promise<string>;

const prepareArguments = (raw: unknown) => pickArguments(raw, { question: ['prompt', 'text', 'message'] });

/** Without `ask` there is nobody to ask, and the tool says so. */
export function createAskTool(ask: Ask | undefined): AgentTool {
  return {
    name: 'ask',
    label: 'Ask',
    description: 'Ask the person a question and wait for the answer.',
    parameters: {
      type: 'object',
      properties: {
        question: { type: 'string', description: 'The question, with all that is needed to answer it.' },
      },
      required: ['question'],
    },
    executionMode: 'sequential',
    prepareArguments,
    async execute(_toolCallId, rawArguments, signal) {
      const question = textArgument(prepareArguments(rawArguments), 'question');
      if (!ask) throw new Error('There is nobody to ask here: go on without an answer.');
      signal?.throwIfAborted();
      const answer = await ask(question, signal);
      const details: AskDetails = { question, answer };
      return {
        content: [{ type: 'text', text: answer === '' ? '[The answer is empty.]' : answer }],
        details,
      };
    },
  };
}
