/** A long tool argument in 4-character pieces: our adapter against the reference, and its time against the length. */
import { openaiChat } from '../src/models';
import type { Bench, Figure } from './measure';
import { loadReference, type Adapter } from './reference/load';

const pieceLength = 4;
const compared = 200_000;
const [short, long] = [20_000, 400_000];
/** How the bytes come: as servers flush them, and as a busy network or a proxy joins them. */
const reads = { 'an event a read': 1, '16 KB a read': 16_384 };

const ours: Adapter = openaiChat as never;
const models = {
  ours: model('openai-chat'),
  reference: { ...model('openai-completions'), compat: { supportsMidConvoSystemMessages: true } },
};

const bench: Bench = async (root) => {
  const figures: Figure[] = [];
  const reference = await loadReference(root);
  for (const [name, bytes] of Object.entries(reads)) {
    if (reference) {
      const body = bodyOf(compared, bytes);
      const [own, other] = await medians([
        () => ask(ours, models.ours, body, compared),
        () => ask(reference, models.reference, body, compared),
      ]);
      const times = `${own.toFixed(0)} ms against ${other.toFixed(0)} ms`;
      figures.push(ratio(`an argument of ${count(compared)} characters, ${name}: ${times}`, own / other, 1));
    }
    const [few, many] = [bodyOf(short, bytes), bodyOf(long, bytes)];
    const [quick, slow] = await medians([
      () => ask(ours, models.ours, few, short),
      () => ask(ours, models.ours, many, long),
    ]);
    const growth = slow / quick / (long / short);
    const times = `${quick.toFixed(1)} ms and ${slow.toFixed(0)} ms`;
    figures.push(ratio(`from ${count(short)} to ${count(long)} characters, ${name}: ${times}`, growth, 2));
  }
  return figures;
};

export default bench;

function ratio(name: string, value: number, limit: number): Figure {
  return { name, value, unit: '×', limit };
}

function count(value: number): string {
  return value.toLocaleString('en');
}

/** Median ms of each work, taken in turn so that what else the machine does falls on all of them. */
async function medians<Works extends (() => Promise<void>)[]>(
  works: [...Works],
  rounds = 9,
): Promise<{ [Index in keyof Works]: number }> {
  const times: number[][] = works.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, work] of works.entries()) {
      const started = performance.now();
      await work();
      // The first round only warms up.
      if (round > 0) times[index]?.push(performance.now() - started);
    }
  }
  return times.map((each) => each.sort((a, b) => a - b)[Math.floor(each.length / 2)] ?? NaN) as {
    [Index in keyof Works]: number;
  };
}

function model(api: string): Record<string, unknown> {
  return {
    id: 'bench',
    name: 'Bench',
    api,
    provider: 'bench',
    baseUrl: 'http://models.test/v1',
    reasoning: false,
    input: ['text'],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 1_000_000,
    maxTokens: 1_000_000,
  };
}

/** One request, whose stream is read to its end. Throws when the answer is not the argument of `length` characters. */
async function ask(
  adapter: Adapter,
  asked: Record<string, unknown>,
  body: Uint8Array[],
  length: number,
): Promise<void> {
  const context = { messages: [{ role: 'user', content: 'Write it.', timestamp: 0 }] };
  const stream = adapter(asked, context, { apiKey: 'none', fetch: () => Promise.resolve(responseOf(body)) });
  let events = 0;
  for await (const _event of stream) events++;
  const { stopReason, content } = await stream.result();
  const [call] = content as { arguments?: { text?: string } }[];
  if (stopReason !== 'toolUse' || call?.arguments?.text?.length !== length || events < length / pieceLength)
    throw new Error(`The answer is not what was sent: ${stopReason}, ${events} events`);
}

/** Each read is made when it is asked for: a queue that is full from the start would be what is measured. */
function responseOf(body: Uint8Array[]): Response {
  const left = body.values();
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = left.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

/** The server-sent events of a call whose argument `text` has `length` characters, as reads of at least `bytes`. */
function bodyOf(length: number, bytes: number): Uint8Array[] {
  const json = JSON.stringify({ text: 'abcdefghi\n'.repeat(Math.ceil(length / 10)).slice(0, length) });
  const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'write', arguments: '' } };
  const events = [event({ role: 'assistant', tool_calls: [call] })];
  for (let at = 0; at < json.length; at += pieceLength) {
    const piece = json.slice(at, at + pieceLength);
    events.push(event({ tool_calls: [{ index: 0, function: { arguments: piece } }] }));
  }
  events.push(event({}, 'tool_calls'), 'data: [DONE]\n\n');
  const all = new TextEncoder().encode(events.join(''));
  if (bytes === 1) return events.map((each) => new TextEncoder().encode(each));
  return Array.from({ length: Math.ceil(all.length / bytes) }, (_, read) =>
    all.slice(read * bytes, (read + 1) * bytes),
  );
}

function event(delta: object, finish_reason: string | null = null): string {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'bench' };
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
}
