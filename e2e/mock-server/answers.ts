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
  };
  yield { ...chunk({}), choices: [], usage };
}

function words(text = ''): string[] {
  return text.match(/\S+\s*/g) ?? [];
}
