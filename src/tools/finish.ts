import type { AgentTool } from '../loop/types';
import { pickArguments, textArgument } from './arguments';

export interface FinishDetails {
  summary: string;
}

const prepareArguments = (raw: unknown) => pickArguments(raw, { summary: ['message', 'result', 'text'] });

export function createFinishTool(): AgentTool {
  return {
    name: 'finish',
    label: 'Finish',
    description: 'End the work: call this alone, when there is nothing left to do.',
    parameters: {
      type: 'object',
      properties: { summary: { type: 'string', description: 'What was done, in a few sentences.' } },
      required: ['summary'],
    },
    prepareArguments,
    async execute(_toolCallId, rawArguments) {
      const summary = textArgument(prepareArguments(rawArguments), 'summary');
      const details: FinishDetails = { summary };
      return Promise.resolve({ content: [{ type: 'text', text: summary }], details, terminate: true });
    },
  };
}
