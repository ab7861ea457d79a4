import type { AssistantMessage, Message, Model, Usage } from '../loop/types';

const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_IMAGE = 1_000;

/** What a request would have cost: about four characters a token, the same for the same messages. */
export function estimateUsage(
  context: readonly Message[],
  answer: AssistantMessage['content'],
  model: Model,
): Usage {
  const input = context.reduce((sum, message) => sum + messageTokens(message), 0);
  const output = answer.reduce((sum, block) => sum + blockTokens(block), 0);
  const reasoning = answer.reduce(
    (sum, block) => sum + (block.type === 'thinking' ? blockTokens(block) : 0),
    0,
  );
  const cost = { input: (input * model.cost.input) / 1e6, output: (output * model.cost.output) / 1e6 };
  return {
    input,
    output,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: input + output,
    ...(reasoning > 0 ? { reasoning } : {}),
    cost: { ...cost, cacheRead: 0, cacheWrite: 0, total: cost.input + cost.output },
  };
}

function messageTokens(message: Message): number {
  const content = typeof message.content === 'string' ? tokens(message.content) : 0;
  const blocks = typeof message.content === 'string' ? [] : message.content;
  const declared = message.role === 'system' ? (message.toolsAdded ?? []) : [];
  return (
    content +
    blocks.reduce((sum, block) => sum + blockTokens(block), 0) +
    declared.reduce(
      (sum, tool) => sum + tokens(tool.name + tool.description + JSON.stringify(tool.parameters)),
      0,
    )
  );
}

function blockTokens(block: Exclude<Message['content'], string>[number]): number {
  switch (block.type) {
    case 'text':
      return tokens(block.text);
    case 'thinking':
      return tokens(block.thinking);
    case 'toolCall':
      return tokens(block.name + JSON.stringify(block.arguments));
    case 'image':
      return TOKENS_PER_IMAGE;
  }
}

function tokens(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
