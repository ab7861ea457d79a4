import type OpenAI from 'openai';
import type { AssistantMessageEventStream, Model, StreamOptions, TranscriptContext } from '../loop';
import { openResponse } from './http';
import { responsesRequest } from './responses-request';
import { ResponsesStream } from './responses-stream';
import { EventReader } from './sse';
import { streamMessage } from './stream-message';

/** The same as `openaiChat`, through the Responses API. */
export function openaiResponses(
  model: Model,
  context: TranscriptContext,
  options: StreamOptions = {},
): AssistantMessageEventStream {
  return streamMessage(model, options, async (builder, watch) => {
    const { body } = responsesRequest(model, context.messages, options);
    const response = await openResponse(model, options, watch, (client, signal) =>
      client.responses
        .create(body as unknown as OpenAI.Responses.ResponseCreateParamsStreaming, { signal })
        .asResponse(),
    );
    builder.start();
    const ownId = (n: number): string => `call_${context.messages.length}_${n}`;
    return new ResponsesStream(model, builder, ownId).read(new EventReader(response, watch));
  });
}
