/** A stored session as its records left it: what a Session needs to go on. */
import { toBase64 } from '../json/base64';
import type { AgentMessage, QueueName } from '../loop/types';
import type { BlobHash, FileContent, MessageBody, Problem, TraceRecord } from '../records/types';
import { fold } from '../trace/fold';
import { messageOf } from '../trace/messages';
import type { WholeMessage } from '../trace/messages';
import { requestEntries } from '../trace/requests';
import type { Trace } from '../trace/types';
import { Positions } from './positions';
import { RequestLog } from './request-log';

export interface Restored {
  trace: Trace;
  positions: Positions;
  requests: RequestLog;
  /** How many ids were given out at least. */
  lastId: number;
  /** The transcript, each message with its id. */
  transcript: { id: string; message: AgentMessage }[];
  files: { path: string; content: string | Uint8Array }[];
  queues: Record<QueueName, { id: string; message: AgentMessage }[]>;
  /** Texts of the prompts that were sent, in order. */
  prompts: string[];
  /** A file or an image is gone: `session.blobMissing {hash}`. */
  problem?: Problem;
}

export type ReadBlob = (hash: BlobHash) => Promise<Uint8Array | undefined>;

/** What is gone of files and images is left out, and `problem` says so. */
export async function restore(records: readonly TraceRecord[], readBlob: ReadBlob): Promise<Restored> {
  const trace = fold(records);
  const missing: BlobHash[] = [];
  const blob: Blob = async (hash) => {
    const bytes = await readBlob(hash);
    if (!bytes) missing.push(hash);
    return bytes;
  };
  const last = trace.requests.at(-1);
  const transcript = trace.transcript.flatMap((id) => {
    const message = messageOf(trace, id);
    return message ? [wholeMessage(message, blob).then((whole) => ({ id, message: whole }))] : [];
  });
  const files = [...trace.files].map(async ([path, { content }]) => {
    const whole = await fileOf(content, blob);
    return whole === undefined ? [] : [{ path, content: whole }];
  });
  const restored: Restored = {
    trace,
    positions: Positions.after(records),
    requests: new RequestLog(last ? requestEntries(trace, last) : []),
    lastId: lastId(records),
    transcript: await Promise.all(transcript),
    files: (await Promise.all(files)).flat(),
    queues: {
      steering: await queueOf(trace, 'steering', blob),
      followUp: await queueOf(trace, 'followUp', blob),
    },
    prompts: promptsOf(trace),
  };
  const [hash] = missing;
  return hash === undefined
    ? restored
    : { ...restored, problem: { code: 'session.blobMissing', params: { hash } } };
}

type Blob = ReadBlob;

function queueOf(
  trace: Trace,
  queue: QueueName,
  blob: Blob,
): Promise<{ id: string; message: AgentMessage }[]> {
  return Promise.all(
    trace.queues[queue].map(async ({ id, message }) => ({ id, message: await wholeMessage(message, blob) })),
  );
}

/** With images in place of the blobs they are kept as. */
export async function wholeMessage(
  message: WholeMessage | MessageBody,
  blob: ReadBlob,
): Promise<AgentMessage> {
  if (!('content' in message) || !Array.isArray(message.content)) return message;
  const content = await Promise.all(
    message.content.map(async (block) => {
      if (!('blob' in block)) return block;
      const { blob: hash, ...image } = block;
      const bytes = await blob(hash);
      return bytes
        ? { ...image, data: toBase64(bytes) }
        : { type: 'text', text: `[missing ${image.mimeType}]` };
    }),
  );
  return { ...message, content } as AgentMessage;
}

async function fileOf(content: FileContent, blob: Blob): Promise<string | Uint8Array | undefined> {
  if ('text' in content) return content.text;
  const bytes = await blob(content.blob);
  return !bytes || content.binary ? bytes : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function promptsOf(trace: Trace): string[] {
  return [...trace.messages.values()].flatMap(({ origin, body }) =>
    origin === 'prompt' && body && 'content' in body && typeof body.content === 'string'
      ? [body.content]
      : [],
  );
}

/** Ids are numbers in base 36, one counter for all of a session. */
function lastId(records: readonly TraceRecord[]): number {
  let last = 0;
  const see = (id: string | undefined) => {
    const value = id === undefined ? NaN : parseInt(id, 36);
    if (value > last) last = value;
  };
  for (const record of records) {
    if (record.type === 'agent_start') see(record.run);
    else if (record.type === 'turn_start') see(record.turn);
    else if (record.type === 'message_start') see(record.message);
    else if (record.type === 'tool_execution_start' || record.type === 'nested_call_start') see(record.call);
    else if (record.type === 'request') see(record.message);
    else if (record.type === 'queue') for (const { id } of record.add ?? []) see(id);
    if ('ask' in record) see(record.ask);
  }
  return last;
}
