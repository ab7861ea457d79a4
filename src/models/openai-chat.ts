import type OpenAI from 'openai';
import type { AssistantMessageEventStream, Model, StreamOptions, TranscriptContext } from '../loop';
import { chatRequest } from './chat-request';
import { ChatStream } from './chat-stream';
import { openResponse } from './http';
import { EventReader } from './sse';
import { streamMessage } from './stream-message';

/**
 * Asks an OpenAI-compatible server through Chat Completions. Never throws: whatever fails becomes a final message with
 * stopReason `error` or `aborted`. An aborted signal sends nothing.
 */
export function openaiChat(
  model: Model,
  context: TranscriptContext,
  options: StreamOptions = {},
): AssistantMessageEventStream {
  return streamMessage(model, options, async (builder, watch) => {
    const { body } = chatRequest(model, context.messages, options);
    const response = await openResponse(model, options, watch, (client, signal) =>
      client.chat.completions
        .create(body as unknown as OpenAI.Chat.ChatCompletionCreateParamsStreaming, { signal })
        .asResponse(),
    );
    builder.start();
    const ownId = (n: number): string => `call_${context.messages.length}_${n}`;
    return new ChatStream(model, builder, ownId).read(new EventReader(response, watch), watch);
  });
}
