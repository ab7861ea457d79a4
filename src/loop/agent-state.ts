import { createInitialSystemMessage, getCurrentSystemPrompt } from './transcript';
import type { AgentEvent, AgentMessage, AgentTool, Model, ThinkingLevel } from './types';

export interface AgentInitialState {
  systemPrompt?: string;
  model?: Model;
  thinkingLevel?: ThinkingLevel;
  tools?: AgentTool[];
  messages?: AgentMessage[];
}

const NO_MODEL: Model = {
  id: 'none',
  name: 'none',
  api: 'none',
  provider: 'none',
  baseUrl: '',
  reasoning: false,
  input: [],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 0,
  maxTokens: 0,
};

/** An agent's transcript and settings, and what its run is doing. Reduced from the loop's events. */
export class AgentState {
  model: Model;
  thinkingLevel: ThinkingLevel;
  #tools: AgentTool[];
  #messages: AgentMessage[];
  #isStreaming = false;
  #streamingMessage: AgentMessage | undefined;
  #errorMessage: string | undefined;
  /** By our own ids, since a provider's may come twice. */
  readonly #openCalls = new Map<string, string>();

  constructor(initial: AgentInitialState = {}) {
    this.model = initial.model ?? NO_MODEL;
    this.thinkingLevel = initial.thinkingLevel ?? 'off';
    this.#tools = [...(initial.tools ?? [])];
    this.#messages = [...(initial.messages ?? [])];
    const leading = createInitialSystemMessage(initial.systemPrompt, this.#tools);
    if (leading && this.#messages[0]?.role !== 'system') this.#messages.unshift(leading);
  }

  /** What the transcript's system messages say together. */
  get systemPrompt(): string {
    return getCurrentSystemPrompt(this.#messages);
  }

  /** What can run. Assigning copies the list; a run keeps the tools that it started with. */
  get tools(): AgentTool[] {
    return this.#tools;
  }
  set tools(tools: AgentTool[]) {
    this.#tools = [...tools];
  }

  /** The transcript. Assigning copies the list. */
  get messages(): AgentMessage[] {
    return this.#messages;
  }
  set messages(messages: AgentMessage[]) {
    this.#messages = [...messages];
  }

  /** A run is going on, until the listeners of its `agent_end` have settled. */
  get isStreaming(): boolean {
    return this.#isStreaming;
  }

  /** The message between its start and its end. */
  get streamingMessage(): AgentMessage | undefined {
    return this.#streamingMessage;
  }

  /** The provider's ids of the calls between their start and their end. */
  get pendingToolCalls(): ReadonlySet<string> {
    return new Set(this.#openCalls.values());
  }

  /** Of the last turn that failed in this run. */
  get errorMessage(): string | undefined {
    return this.#errorMessage;
  }

  begin(): void {
    this.#isStreaming = true;
    this.#streamingMessage = undefined;
    this.#errorMessage = undefined;
  }

  settle(): void {
    this.#isStreaming = false;
    this.#streamingMessage = undefined;
    this.#openCalls.clear();
  }

  /** Starts over from these messages. */
  restart(messages: AgentMessage[]): void {
    this.#messages = messages;
    this.#errorMessage = undefined;
    this.settle();
  }

  reduce(event: AgentEvent): void {
    switch (event.type) {
      case 'message_start':
      case 'message_update':
        this.#streamingMessage = event.message;
        break;
      case 'message_end':
        this.#streamingMessage = undefined;
        this.#messages.push(event.message);
        break;
      case 'tool_execution_start':
        this.#openCalls.set(event.callId, event.toolCallId);
        break;
      case 'tool_execution_end':
        this.#openCalls.delete(event.callId);
        break;
      case 'turn_end':
        this.#errorMessage = event.message.errorMessage ?? this.#errorMessage;
        break;
      case 'agent_end':
        this.#streamingMessage = undefined;
        break;
      case 'agent_start':
      case 'turn_start':
      case 'tool_execution_update':
        break;
    }
  }
}
