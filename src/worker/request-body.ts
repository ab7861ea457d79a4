/** The HTTP request of a model request, made again from the records: nothing else decides what is sent. */
import type { Message, Model, StreamOptions } from '../loop/types';
import {
  chatRequest,
  endpointModel,
  endpointUrl,
  manualModelInfo,
  responsesRequest,
  scriptedModelInfo,
} from '../models';
import type { RequestBody } from '../protocol';
import { applySettings } from '../records';
import type { SessionConfig } from '../records/types';
import { problem } from '../store';
import { messageOf } from '../trace/messages';
import { requestEntries } from '../trace/requests';
import type { RequestNode, Trace } from '../trace/types';
import { wholeMessage } from './restore';
import type { ReadBlob } from './restore';

export interface RequestBodyOptions {
  readBlob: ReadBlob;
  /** Whether a key goes to this address now. */
  hasKey: (baseUrl: string) => boolean;
}

const paths = { 'openai-chat': '/chat/completions', 'openai-responses': '/responses' } as const;

/**
 * The request whose answer is `message`, with the settings as they stood then. For a model that needs no network: what a
 * Chat Completions server would have got, at no address. Throws `session.noRequest`.
 */
export async function requestBody(
  trace: Trace,
  message: string,
  { readBlob, hasKey }: RequestBodyOptions,
): Promise<RequestBody> {
  const request = trace.requests.find((one) => one.message === message);
  if (!request) throw problem('session.noRequest');
  const entries = requestEntries(trace, request).flatMap((entry) => {
    const body = typeof entry === 'string' ? messageOf(trace, entry) : entry;
    return body ? [{ id: typeof entry === 'string' ? entry : undefined, body }] : [];
  });
  const messages = await Promise.all(entries.map(({ body }) => wholeMessage(body, readBlob)));
  const { baseUrl, api } = request.model;
  const make = api === 'openai-responses' ? responsesRequest : chatRequest;
  const { body, repairs } = make(
    modelOfRequest(trace, request),
    messages as Message[],
    optionsOf(trace, request),
  );
  return {
    method: 'POST',
    url: baseUrl === '' ? '' : endpointUrl(baseUrl, paths[api === 'openai-responses' ? api : 'openai-chat']),
    headers: {
      Accept: 'application/json',
      ...(baseUrl !== '' && hasKey(baseUrl) ? { Authorization: 'Bearer •••' } : {}),
      'Content-Type': 'application/json',
    },
    body,
    repairs: repairs.map(({ code, index }) => {
      const id = entries[index]?.id;
      return { code, ...(id === undefined ? {} : { message: id }) };
    }),
  };
}

/** A run keeps the model that it began with. */
function modelOfRequest(trace: Trace, { model, turn }: RequestNode): Model {
  if (model.baseUrl === '')
    return { ...(model.api === 'manual' ? manualModelInfo : scriptedModelInfo), id: model.id };
  const run = trace.runsById.get(trace.turns.get(turn)?.run ?? '');
  const { images } = settingsAt(trace, run?.seq ?? 0);
  return endpointModel({
    baseUrl: model.baseUrl,
    model: model.id,
    api: model.api === 'openai-responses' ? model.api : 'openai-chat',
    ...(images === undefined ? {} : { images }),
  });
}

function optionsOf(trace: Trace, { seq, thinkingLevel }: RequestNode): StreamOptions {
  const { options = {} } = settingsAt(trace, seq);
  return thinkingLevel === 'off' ? options : { ...options, reasoning: thinkingLevel };
}

function settingsAt(trace: Trace, seq: number): SessionConfig {
  const config: SessionConfig = {};
  for (const { seq: at, note } of trace.notes)
    if (note.type === 'config' && at < seq) applySettings(config, note.set);
  return config;
}
