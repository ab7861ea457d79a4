import { finalArguments } from '../json/tool-arguments';
import { getCurrentTools } from '../loop/transcript';
import type { Message, ToolDeclaration, ToolResultMessage, TranscriptContext } from '../loop/types';
import type { PlayedBlock, PlayedTurn } from './playback';

const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 600;

/**
 * The answer when a script is used up: it says what came back from tools, calls a declared tool that the prompt begins
 * with (`read notes.txt`, `please write a.txt hello`, `ls {"path": "src"}`), or says what it is and echoes.
 */
export function fallbackTurn(context: TranscriptContext): PlayedTurn {
  const { messages } = context;
  const results = trailingResults(messages);
  if (results.length > 0) return { blocks: [{ type: 'text', text: results.map(report).join('\n\n') }] };
  const prompt = lastPrompt(messages);
  const tools = getCurrentTools(messages);
  const call = toolCall(prompt, tools);
  return { blocks: [call ?? { type: 'text', text: echo(prompt, tools) }] };
}

function trailingResults(messages: readonly Message[]): ToolResultMessage[] {
  const results: ToolResultMessage[] = [];
  for (const message of messages.toReversed()) {
    if (message.role !== 'toolResult') break;
    results.unshift(message);
  }
  return results;
}

function report(result: ToolResultMessage): string {
  const text = result.content
    .map((part) => (part.type === 'text' ? part.text : `[${part.mimeType}]`))
    .join('\n');
  const lines = text.slice(0, SHOWN_CHARACTERS).split('\n', SHOWN_LINES).join('\n');
  const shown = lines.replace(/[\uD800-\uDBFF]$/, '');
  const more = shown.length < text.length ? '\n…' : '';
  if (text.trim() === '')
    return `\`${result.toolName}\` ${result.isError ? 'failed' : 'is done'}, without a word.`;
  return `\`${result.toolName}\` ${result.isError ? 'failed' : 'gave me'}:\n\n\`\`\`\n${shown}${more}\n\`\`\``;
}

function lastPrompt(messages: readonly Message[]): string {
  const prompt = messages.findLast((message) => message.role === 'user');
  if (!prompt) return '';
  if (typeof prompt.content === 'string') return prompt.content.trim();
  return prompt.content
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .trim();
}

function toolCall(prompt: string, tools: readonly ToolDeclaration[]): PlayedBlock | undefined {
  const asked = /^(?:(?:please|now|then|can you|could you) )*`?([\w.-]+)`?(?:[ \n]([^]*))?$/i.exec(prompt);
  const tool = tools.find(({ name }) => name.toLowerCase() === asked?.[1]?.toLowerCase());
  if (!tool) return undefined;
  const rest = (asked?.[2] ?? '').trim();
  if (!rest.startsWith('{')) return { type: 'toolCall', name: tool.name, arguments: argumentsOf(tool, rest) };
  const read = finalArguments(rest);
  if (read.argumentsError) return { type: 'toolCall', name: tool.name, rawArguments: rest };
  return { type: 'toolCall', name: tool.name, arguments: read.arguments };
}

/** One word for each required parameter, the rest for the last; without required ones, all words for the first. */
function argumentsOf(tool: ToolDeclaration, text: string): Record<string, unknown> {
  const { properties = {}, required = [] } = tool.parameters as {
    properties?: Record<string, { type?: unknown }>;
    required?: string[];
  };
  const names = required.length > 0 ? required : Object.keys(properties).slice(0, 1);
  const values: [string, unknown][] = [];
  let rest = text;
  for (const [index, name] of names.entries()) {
    if (rest === '') break;
    const space = index === names.length - 1 ? -1 : rest.search(/\s/);
    const word = space === -1 ? rest : rest.slice(0, space);
    rest = space === -1 ? '' : rest.slice(space).trimStart();
    const type = properties[name]?.type;
    const isNumber = (type === 'number' || type === 'integer') && Number.isFinite(Number(word));
    values.push([name, isNumber ? Number(word) : word]);
  }
  return Object.fromEntries(values);
}

function echo(prompt: string, tools: readonly ToolDeclaration[]): string {
  const names = tools.map((tool) => `\`${tool.name}\``).join(', ');
  const hint = names === '' ? '' : ` Begin a message with the name of a tool and I call it: ${names}.`;
  const heard = prompt === '' ? 'You said nothing.' : `You said: “${prompt}”`;
  return `I am a **scripted stand-in**, not a real model, and my script has ended.${hint}\n\n${heard}`;
}
