/** Scenarios that the specs play. They are long in virtual time, so that a person (or a test) can step in. */

const say = (text: string) => ({ blocks: [{ type: 'text', text }] });
const callTool = (name: string, text = '') => ({
  blocks: [
    ...(text ? [{ type: 'text', text }] : []),
    { type: 'toolCall', name, arguments: { path: 'a.txt' } },
  ],
});

/** A tool that takes ten minutes of virtual time: everything waits for it. */
export const slowTool = {
  title: 'Slow tool',
  tools: [{ name: 'dig', durationMs: 600_000, progress: ['half done'], result: 'dug' }],
  model: {
    kind: 'scripted',
    turns: [callTool('dig', 'I dig.'), say('Second answer.'), say('Third answer.')],
  },
  prompts: ['Dig for it.'],
};

/** A call, then a follow-up: each loop goes round once, and each turn takes as long as its steps need to be seen. */
export const bothLoops = {
  title: 'Both loops',
  tools: [{ name: 'dig', durationMs: 300, result: 'dug' }],
  model: {
    kind: 'scripted',
    turns: [callTool('dig'), say('Dug.'), say('Done.')].map((turn) => ({ ...turn, firstTokenMs: 900 })),
  },
  prompts: ['Dig for it.'],
  actions: [{ on: { event: 'tool_execution_start', nth: 1 }, do: 'followUp', text: 'And then?' }],
};

/** The model fails once, and answers when it is asked again. */
export const failsOnce = {
  title: 'Fails once',
  model: {
    kind: 'scripted',
    turns: [
      { ...say('Half an ans'), stopReason: 'error', errorMessage: 'The provider is overloaded.' },
      say('Now it works.'),
    ],
  },
  prompts: ['Hello?'],
};

export const answers = (text: string) => ({
  title: 'One answer',
  model: { kind: 'scripted', turns: [say(text)] },
  prompts: ['Say it.'],
});

/** A rule asks a person before the tool runs. */
export const asks = {
  title: 'Asks first',
  tools: [{ name: 'dig', durationMs: 100, result: 'dug' }],
  rules: [{ id: 'ask', rule: 'ask', tool: 'dig', text: 'It cannot be undone.' }],
  model: { kind: 'scripted', turns: [callTool('dig'), say('Done with it.')] },
  prompts: ['Dig for it.'],
};
