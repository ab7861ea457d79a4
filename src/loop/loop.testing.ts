import { MODEL, user } from './conformance/run-scenario.testing';
import { scriptedStream } from './conformance/script.testing';
import type { ScriptedTurn } from './conformance/script.testing';
import { Agent } from './index';
import type {
  AgentEvent,
  AgentMessage,
  AgentOptions,
  AgentTool,
  AssistantMessage,
  SetTimer,
  StreamFn,
  StreamOptions,
  ToolCall,
  TranscriptContext,
} from './index';

export { MODEL, user };

const base = { chunk: 1000, start: true, end: 'done' } as const;

/** A turn of plain text. */
export function says(text: string): ScriptedTurn {
  return { ...base, blocks: [{ type: 'text', text }], stopReason: 'stop' };
}

export function call(id: string, name: string, args: Record<string, unknown> = {}): ToolCall {
  return { type: 'toolCall', id, name, arguments: args };
}

/** A turn that calls tools. */
export function callsTools(...calls: ToolCall[]): ScriptedTurn {
  return { ...base, blocks: calls, stopReason: 'toolUse' };
}

export function failsWith(errorMessage: string): ScriptedTurn {
  return { ...base, blocks: [], stopReason: 'error', errorMessage };
}

export interface PlayedModel {
  streamFn: StreamFn;
  /** What each request carried. */
  requests: { messages: TranscriptContext['messages']; model: string; options: StreamOptions }[];
}

/** A model that plays these turns one after the other; the last repeats. */
export function plays(...turns: ScriptedTurn[]): PlayedModel {
  const requests: PlayedModel['requests'] = [];
  const streamFn: StreamFn = (model, context, options) => {
    const turn = turns[Math.min(requests.length, turns.length - 1)];
    if (!turn) throw new Error('No turn to play.');
    requests.push({ messages: context.messages, model: model.id, options });
    return scriptedStream(turn, model, options.signal);
  };
  return { streamFn, requests };
}

/** A tool whose execution is given, with a schema that lets any object through. */
export function toolThat(
  name: string,
  execute: AgentTool['execute'],
  more: Partial<AgentTool> = {},
): AgentTool {
  return { name, label: name, description: name, parameters: { type: 'object' }, execute, ...more };
}

/** A tool that answers with a text at once. */
export function toolSaying(name: string, text: string, more: Partial<AgentTool> = {}): AgentTool {
  return toolThat(name, () => Promise.resolve({ content: [{ type: 'text', text }] }), more);
}

/** An agent on a scripted model, with all its events. */
export function agentOn(
  model: PlayedModel,
  tools: AgentTool[] = [],
  options: Partial<AgentOptions> = {},
): { agent: Agent; events: AgentEvent[] } {
  const agent = new Agent({
    ...options,
    streamFn: model.streamFn,
    initialState: { model: MODEL, tools, ...options.initialState },
  });
  const events: AgentEvent[] = [];
  agent.subscribe((event) => void events.push(event));
  return { agent, events };
}

/** The roles of a transcript, with the text of each message that has one: `user go`. */
export function outline(messages: readonly AgentMessage[]): string[] {
  return messages.map((message) => {
    const content = 'content' in message ? message.content : [];
    const text =
      typeof content === 'string'
        ? content
        : content.map((part) => ('text' in part ? part.text : part.type)).join(' ');
    return text ? `${message.role} ${text}` : message.role;
  });
}

export function resultTexts(messages: readonly AgentMessage[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'toolResult' && 'toolCallId' in message
      ? [message.content.map((part) => (part.type === 'text' ? part.text : part.type)).join(' ')]
      : [],
  );
}

export function lastAssistant(messages: readonly AgentMessage[]): AssistantMessage {
  const last = messages.findLast((message): message is AssistantMessage => message.role === 'assistant');
  if (!last) throw new Error('There is no assistant message.');
  return last;
}

/** A promise with its settling functions. */
export function deferred<T = void>(): {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
} {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
}

/** Timers that run when the test says so. */
export function manualTimers(): { setTimer: SetTimer; waits: () => number[]; expire: () => void } {
  const timers = new Map<() => void, number>();
  return {
    setTimer: (ms, callback) => {
      timers.set(callback, ms);
      return () => void timers.delete(callback);
    },
    waits: () => [...timers.values()],
    expire: () => {
      for (const callback of [...timers.keys()]) {
        timers.delete(callback);
        callback();
      }
    },
  };
}

/** Resolves when an event of this type comes. */
export function nextEvent(agent: Agent, type: AgentEvent['type'], nth = 1): Promise<AgentEvent> {
  return new Promise((resolve) => {
    let seen = 0;
    agent.subscribe((event) => {
      if (event.type === type && ++seen === nth) resolve(event);
    });
  });
}
