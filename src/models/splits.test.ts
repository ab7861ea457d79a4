import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AssistantMessage } from '../loop';
import { chunksOf, runCase, streamCases } from './case-runner.testing';
import { openaiChat } from './openai-chat';
import { openaiResponses } from './openai-responses';

const streams = streamCases.filter(
  ({ status, endWith }) => status === 200 && endWith !== 'open' && endWith !== 'error',
);
// Those with the most in them, in the fewest bytes.
const thorough = ['sse-utf8-split-one-byte-chunks', 'sse-crlf-split-after-cr', 'chat-interleaved-indexes'];

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

describe('a stream cut anywhere', () => {
  it.each(streams.map((each) => [each.id, each] as const))(
    '%s: the final message never changes',
    async (id, each) => {
      const streamFn = each.api === 'chat' ? openaiChat : openaiResponses;
      const bytes = joined(chunksOf(each));
      const whole = timeless((await runCase(streamFn, each, {}, [bytes])).message);
      expect(timeless((await runCase(streamFn, each)).message)).toEqual(whole);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 40 }), async (positions) => {
          const { message } = await runCase(streamFn, each, {}, split(bytes, positions));
          expect(timeless(message)).toEqual(whole);
        }),
        { numRuns: thorough.includes(id) ? 1000 : 200 },
      );
    },
    30_000,
  );
});
