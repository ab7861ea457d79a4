import type { AgentEvent, AgentMessage } from '../index';

/** All that can be observed of a scenario, as plain data. */
export interface ScenarioRecord {
  outcome: string;
  events: object[];
  requests: object[];
  log: string[];
  hookLog: string[];
  state?: object;
}

/** What is compared of a message, as it is at this moment: a partial message goes on changing. */
export function brief(message: AgentMessage): object {
  const { role } = message;
  const fields = message as unknown as Record<string, unknown>;
  const names = (tools: unknown) => (tools as { name: string }[] | undefined)?.map(({ name }) => name);
  const more: Record<string, object> = {
    assistant: pick(fields, ['stopReason', 'errorMessage', 'thinkingLevel']),
    toolResult: pick(fields, ['toolCallId', 'toolName', 'isError', 'details']),
    system: { toolsAdded: names(fields['toolsAdded']), toolsRemoved: names(fields['toolsRemoved']) },
    note: pick(fields, ['text']),
  };
  return { role, content: structuredClone(fields['content']), ...more[role] };
}

/** What is compared of an event. */
export function compact(event: AgentEvent): object {
  const { type } = event;
  switch (type) {
    case 'message_start':
    case 'message_end':
      return { type, message: brief(event.message) };
    case 'message_update': {
      const { type: name, ...rest } = event.assistantMessageEvent;
      const { contentIndex, delta } = rest as { contentIndex?: number; delta?: string };
      return { type, event: name, index: contentIndex, delta, message: brief(event.message) };
    }
    case 'turn_end':
      return { type, message: brief(event.message), toolResults: event.toolResults.map(brief) };
    case 'agent_end':
      return { type, messages: event.messages.map(brief) };
    case 'tool_execution_start':
      return { type, id: event.toolCallId, name: event.toolName, args: event.args };
    case 'tool_execution_update':
      return {
        type,
        id: event.toolCallId,
        name: event.toolName,
        args: event.args,
        partial: event.partialResult,
      };
    case 'tool_execution_end': {
      const { content, details, terminate } = event.result;
      const result = { content, details, terminate };
      return { type, id: event.toolCallId, name: event.toolName, isError: event.isError, result };
    }
    case 'agent_start':
    case 'turn_start':
      return { type };
  }
}

/** Each implementation words its own errors: what is compared is which error it is. */
const KINDS: [string, RegExp][] = [
  ['<invalid arguments>', /^(validation failed|invalid arguments)/i],
  ['<unknown tool>', /(\bnot found\b|unknown tool|no tool (named|called))/i],
  ['<truncated>', /(truncat|token limit|cut off|cut short)/i],
  ['<blocked>', /^tool (execution|call) (was )?blocked/i],
  ['<aborted>', /^(operation |run |tool call )?(was )?aborted/i],
  ['<busy>', /already (processing|running)/i],
  ['<nothing to continue>', /(cannot continue: no messages|no messages to continue|nothing to continue)/i],
  ['<assistant tail>', /(cannot continue from (message role: )?(an )?assistant|assistant (message|tail))/i],
];
const kindOf = (text: string) => KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? text;

/** The record as JSON has it, with kinds in the place of error texts. */
export function scrub(record: ScenarioRecord): ScenarioRecord {
  const plain = JSON.parse(JSON.stringify(record)) as ScenarioRecord;
  nameErrors(plain);
  plain.outcome = plain.outcome.replace(
    /^(rejected|threw): (.*)$/s,
    (_, how: string, text: string) => `${how}: ${kindOf(text)}`,
  );
  plain.log = plain.log.map((line) =>
    line.replace(/^second prompt: (.*)$/s, (_, text: string) => `second prompt: ${kindOf(text)}`),
  );
  return plain;
}

interface ErrorResult {
  isError?: boolean;
  content?: { type: string; text?: string }[];
  result?: ErrorResult;
}

function nameErrors(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { isError, content, result } = value as ErrorResult;
  if (isError === true) {
    for (const part of content ?? result?.content ?? [])
      if (part.text !== undefined) part.text = kindOf(part.text);
  }
  for (const inner of Object.values(value)) nameErrors(inner);
}

function pick(fields: Record<string, unknown>, names: string[]): object {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}
