/** One answer of a scripted model. */
export interface MockTurn {
  thinking?: string;
  text?: string;
  calls?: { name: string; args: Record<string, unknown> }[];
  /** Default: `tool_calls` when there are calls, else `stop`. */
  finish?: string;
  /** ms before each chunk. */
  gapMs?: number;
}

const path = '/notes/hello.txt';

/**
 * The scripted models: their turns in order. Which turn comes next follows from how many answers the request carries,
 * so that the server needs no memory; after the last turn the first comes again.
 */
export const mockModels: Record<string, MockTurn[]> = {
  hello: [{ text: 'Hello from the mock server.' }],
  files: [
    {
      text: 'I write the file first.',
      calls: [{ name: 'write', args: { path, content: 'Hello, file!\n' } }],
    },
    { calls: [{ name: 'read', args: { path } }] },
    { text: 'The file says: Hello, file!' },
  ],
  parallel: [
    {
      thinking: 'Two files can be written at once.',
      calls: [
        { name: 'write', args: { path: '/notes/a.txt', content: 'A\n' } },
        { name: 'write', args: { path: '/notes/b.txt', content: 'B\n' } },
      ],
    },
    { text: 'Both files are written.' },
  ],
  thinking: [{ thinking: 'Two plus two is four.', text: '4' }],
  slow: [{ text: 'One word comes after the other, slowly. '.repeat(20), gapMs: 50 }],
  length: [{ text: 'This answer is cut', finish: 'length' }],
};

/** The chunks of one answer as Chat Completions sends them; texts word by word, arguments in pieces. */
export function* chunksOf(turn: MockTurn, model: string, withUsage: boolean): Generator<object> {
  const chunk = (delta: object, finish: string | null = null): object => ({
    id: 'chatcmpl-mock',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  yield chunk({ role: 'assistant', content: '' });
  for (const word of words(turn.thinking)) yield chunk({ reasoning_content: word });
  for (const word of words(turn.text)) yield chunk({ content: word });
  for (const [index, call] of (turn.calls ?? []).entries()) {
    const id = `call_${index}_${call.name}`;
    yield chunk({
      tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }],
    });
    for (const piece of JSON.stringify(call.args).match(/[^]{1,8}/g) ?? []) {
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield chunk({}, turn.finish ?? (turn.calls ? 'tool_calls' : 'stop'));
  if (!withUsage) return;
  const usage = {
    prompt_tokens: 120,
    completion_tokens: 20,
    total_tokens: 140,
    prompt_tokens_details: { cached_tokens: 20 },
    ...(turn.thinking === undefined ? {} : { completion_tokens_details: { reasoning_tokens: 12 } }),
  };
  yield { ...chunk({}), choices: [], usage };
}

type Event = { type: string } & Record<string, unknown>;

/** The events of one answer as the Responses API sends them. */
export function* eventsOf(turn: MockTurn, model: string): Generator<Event> {
  const response = { id: 'resp_mock', object: 'response', model, status: 'in_progress', output: [] };
  yield { type: 'response.created', response };
  let place = 0;
  const item = function* (fields: { id: string } & Event, deltas: Event[], done: object) {
    const output_index = place++;
    yield { type: 'response.output_item.added', output_index, item: fields };
    for (const delta of deltas) yield { ...delta, output_index, item_id: fields.id };
    yield { type: 'response.output_item.done', output_index, item: { ...fields, ...done } };
  };
  const { thinking, text, calls = [] } = turn;
  if (thinking !== undefined) {
    const type = 'response.reasoning_summary_text.delta';
    const deltas = words(thinking).map((delta) => ({ type, summary_index: 0, delta }));
    const summary = [{ type: 'summary_text', text: thinking }];
    yield* item({ id: 'rs_mock', type: 'reasoning' }, deltas, { summary });
  }
  if (text !== undefined) {
    const deltas = words(text).map((delta) => ({
      type: 'response.output_text.delta',
      content_index: 0,
      delta,
    }));
    const content = [{ type: 'output_text', text, annotations: [] }];
    yield* item({ id: 'msg_mock', type: 'message' }, deltas, { role: 'assistant', content });
  }
  for (const [index, { name, args }] of calls.entries()) {
    const type = 'response.function_call_arguments.delta';
    const whole = JSON.stringify(args);
    const deltas = (whole.match(/[^]{1,8}/g) ?? []).map((delta) => ({ type, delta }));
    const call = { id: `fc_${index}`, type: 'function_call', call_id: `call_${index}_${name}`, name };
    yield* item(call, deltas, { arguments: whole });
  }
  const usage = { input_tokens: 120, output_tokens: 20, total_tokens: 140 };
  yield { type: 'response.completed', response: { ...response, status: 'completed', usage } };
}

function words(text = ''): string[] {
  return text.match(/\S+\s*/g) ?? [];
}
