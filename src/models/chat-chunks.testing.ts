import { runCase, type StreamCase } from './case-runner.testing';
import { openaiChat } from './openai-chat';

type Call = { index?: number; id?: string | number | null; name?: string; args?: unknown };

export function events(...chunks: unknown[]): string[] {
  return chunks.map((chunk) => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}\n\n`);
}

export function delta(fields: object, finish: string | null = null): object {
  return { choices: [{ index: 0, delta: fields, finish_reason: finish }] };
}

export function callDelta(...calls: Call[]): object {
  return delta({
    tool_calls: calls.map(({ name, args, ...rest }) => ({
      ...rest,
      function: {
        ...(name === undefined ? {} : { name }),
        ...(args === undefined ? {} : { arguments: args }),
      },
    })),
  });
}

export function stream(chunks: string[], more: Partial<StreamCase> = {}): StreamCase {
  const headers = { 'content-type': 'text/event-stream' };
  return { id: 'own', api: 'chat', status: 200, headers, chunks, expect: { stopReason: '' }, ...more };
}

export const run = (chunks: string[], more?: Partial<StreamCase>, options = {}) =>
  runCase(openaiChat, stream(chunks, more), options);

export async function callsOf(...chunks: object[]): Promise<unknown[]> {
  const { message } = await run(events(...chunks, delta({}, 'tool_calls'), '[DONE]'));
  return message.content.map((block) =>
    block.type === 'toolCall'
      ? [block.id, block.name, block.argumentsError ? 'error' : block.arguments]
      : block.type,
  );
}
