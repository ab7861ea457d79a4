import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantMessage } from '../loop';
import { chunksOf, runCase, streamCases, testModel, type StreamCase } from './case-runner.testing';
import { ChatStream } from './chat-stream';
import { openaiChat } from './openai-chat';
import { openaiResponses } from './openai-responses';
import { ResponsesStream } from './responses-stream';
import { EventReader } from './sse';
import { streamMessage } from './stream-message';

const streams = streamCases.filter(
  ({ status, endWith }) => status === 200 && endWith !== 'open' && endWith !== 'error',
);

function joined(chunks: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

function split(bytes: Uint8Array, positions: number[]): Uint8Array[] {
  const cuts = [
    0,
    ...positions.map((position) => position % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ];
  return cuts.slice(1).map((end, index) => bytes.subarray(cuts[index], end));
}

function timeless(message: AssistantMessage): object {
  return { ...message, timestamp: 0 };
}

/** The final message of a body that comes in these chunks alone: the client's own work would be most of the time. */
function messageOf({ api }: StreamCase, chunks: Uint8Array[]): Promise<AssistantMessage> {
  const model = { ...testModel, api: api === 'chat' ? 'openai-chat' : 'openai-responses' };
  const ownId = (n: number): string => `call_1_${n}`;
  return streamMessage(model, { idleTimeoutMs: Infinity }, (builder, watch) => {
    builder.start();
    const reader = new EventReader(responseOf(chunks), watch);
    return api === 'chat'
      ? new ChatStream(model, builder, ownId).read(reader, watch)
      : new ResponsesStream(model, builder, ownId).read(reader);
  }).result();
}

/** What `EventReader` needs of a response. */
function responseOf(chunks: Uint8Array[]): Response {
  const left = chunks.values();
  const reader = {
    read: () => Promise.resolve(left.next()),
    cancel: () => Promise.resolve(),
  };
  return { body: { getReader: () => reader } } as unknown as Response;
}

describe('a stream cut anywhere', () => {
  it.each(streams.map((each) => [each.id, each] as const))(
    '%s: the final message never changes',
    async (_id, each) => {
      const bytes = joined(chunksOf(each));
      const whole = timeless(await messageOf(each, [bytes]));
      const streamFn = each.api === 'chat' ? openaiChat : openaiResponses;
      expect(timeless((await runCase(streamFn, each)).message)).toEqual(whole);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 40 }), async (positions) => {
          expect(timeless(await messageOf(each, split(bytes, positions)))).toEqual(whole);
        }),
        { numRuns: 1000 },
      );
    },
  );
});
