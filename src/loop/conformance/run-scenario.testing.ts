import { Agent, runAgentLoop, runAgentLoopContinue } from '../index';
import type {
  AgentEvent,
  AgentLoopConfig,
  AgentMessage,
  AgentTool,
  Hooks,
  Message,
  Model,
  OnQueueChange,
  StreamFn,
  ThinkingLevel,
  Turn,
  UserMessage,
} from '../index';
import { brief, compact, scrub } from './compare.testing';
import type { ScenarioRecord } from './compare.testing';
import { scriptedStream, scriptedTool } from './script.testing';
import type { ScriptedTool, ScriptedTurn } from './script.testing';

/** One case of the conformance vectors, as their README describes it. */
export interface Scenario {
  api: 'agent' | 'agent-continue' | 'loop' | 'continue';
  systemPrompt?: string;
  prompt: AgentMessage[];
  history: AgentMessage[];
  tools: ScriptedTool[];
  turns: ScriptedTurn[];
  config: {
    toolExecution?: 'parallel' | 'sequential';
    steeringMode?: 'one-at-a-time' | 'all';
    followUpMode?: 'one-at-a-time' | 'all';
    reasoning?: ThinkingLevel;
  };
  before?: Action[];
  actions: (Action & { on: { type: AgentEvent['type']; nth: number } })[];
  hooks: Partial<Record<keyof AgentLoopConfig, Rule>>;
  slowListener?: boolean;
}
export interface Action {
  do: 'steer' | 'followUp' | 'abort' | 'clear' | 'peek' | 'prompt' | 'dropTool' | 'throw';
  text?: string;
}
/** What a hook does, at every call or at the `nth` only. */
export interface Rule {
  nth?: number;
  action?: 'continue' | 'end';
  note?: string;
  thinkingLevel?: ThinkingLevel;
  steerDuring?: string;
  throw?: boolean;
  block?: boolean;
  reason?: string;
  terminate?: boolean;
  mutate?: boolean;
  abort?: boolean;
  text?: string;
  isError?: boolean;
  keep?: number;
}

export const MODEL: Model = {
  id: 'm-1',
  name: 'm',
  api: 'script',
  provider: 'script',
  baseUrl: '',
  reasoning: true,
  input: ['text'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 1000,
  maxTokens: 1000,
};

export const user = (text: string): UserMessage => ({
  role: 'user',
  content: [{ type: 'text', text }],
  timestamp: 1_700_000_000_000,
});

/** What else listens to a run; none of it changes what the loop does. */
export interface Tap {
  event: (event: AgentEvent) => void;
  step: NonNullable<AgentLoopConfig['onStep']>;
  /** Of an Agent only. */
  queueChange: OnQueueChange;
}

/** Runs a scenario and returns all that can be observed of it. */
export function runScenario(scenario: Scenario, tap?: Tap): Promise<ScenarioRecord> {
  return new ScenarioRun(scenario, tap).run();
}

/** Hidden messages of the host, as in the vectors. */
const convertToLlm = (messages: AgentMessage[]) =>
  messages.filter((message): message is Message => message.role !== 'note');

class ScenarioRun {
  readonly #scenario: Scenario;
  readonly #tap: Tap | undefined;
  readonly #record: ScenarioRecord = { outcome: 'ok', events: [], requests: [], log: [], hookLog: [] };
  readonly #seen = new Map<string, number>();
  readonly #controller = new AbortController();
  readonly #outside = { steer: [] as AgentMessage[], followUp: [] as AgentMessage[] };
  readonly #tools: AgentTool[];
  #agent: Agent | undefined;
  #requests = 0;

  constructor(scenario: Scenario, tap?: Tap) {
    this.#scenario = scenario;
    this.#tap = tap;
    this.#tools = scenario.tools.map((tool) => scriptedTool(tool, this.#record.log));
  }

  async run(): Promise<ScenarioRecord> {
    const { api } = this.#scenario;
    try {
      await (api === 'agent' || api === 'agent-continue' ? this.#runAgent() : this.#runLowLevel());
    } catch (error) {
      this.#record.outcome = `threw: ${(error as Error).message}`;
    }
    // Late updates come a millisecond after the end.
    await new Promise((resolve) => setTimeout(resolve, 3));
    return scrub(this.#record);
  }

  async #runAgent(): Promise<void> {
    const { systemPrompt, history, prompt, config, slowListener, before = [], api } = this.#scenario;
    const agent = new Agent({
      initialState: {
        ...(systemPrompt === undefined ? {} : { systemPrompt }),
        model: MODEL,
        tools: this.#tools,
        messages: structuredClone(history),
        thinkingLevel: config.reasoning ?? 'off',
      },
      streamFn: this.#streamFn,
      convertToLlm,
      ...(config.steeringMode ? { steeringMode: config.steeringMode } : {}),
      ...(config.followUpMode ? { followUpMode: config.followUpMode } : {}),
      ...(config.toolExecution ? { toolExecution: config.toolExecution } : {}),
      ...(this.#hooks() as Hooks),
      ...(this.#tap ? { onStep: this.#tap.step, onQueueChange: this.#tap.queueChange } : {}),
    });
    this.#agent = agent;
    agent.subscribe(async (event) => {
      if (slowListener) await new Promise((resolve) => setTimeout(resolve, 1));
      this.#observe(event);
    });
    for (const action of before) this.#act(action);
    try {
      await (api === 'agent' ? agent.prompt(structuredClone(prompt)) : agent.continue());
    } catch (error) {
      this.#record.outcome = `rejected: ${(error as Error).message}`;
    }
    await agent.waitForIdle();
    const { state } = agent;
    this.#record.state = {
      messages: state.messages.map(brief),
      streaming: state.isStreaming,
      partial: state.streamingMessage === undefined,
      pending: [...state.pendingToolCalls],
      error: state.errorMessage,
      queued: agent.hasQueuedMessages(),
      peek: agent.peekQueuedMessages().map(brief),
      prompt: state.systemPrompt,
    };
  }

  async #runLowLevel(): Promise<void> {
    const { config, history, prompt, before = [], api } = this.#scenario;
    const poll = (queue: 'steer' | 'followUp', name: string, mode: string | undefined) => () => {
      this.#record.log.push(`poll ${name}`);
      const waiting = this.#outside[queue];
      return Promise.resolve(mode === 'all' ? waiting.splice(0) : waiting.splice(0, 1));
    };
    const loopConfig: AgentLoopConfig = {
      model: MODEL,
      ...(config.reasoning ? { reasoning: config.reasoning } : {}),
      ...(config.toolExecution ? { toolExecution: config.toolExecution } : {}),
      convertToLlm,
      ...this.#hooks(),
      ...(this.#tap ? { onStep: this.#tap.step } : {}),
      getSteeringMessages: poll('steer', 'steering', config.steeringMode),
      getFollowUpMessages: poll('followUp', 'followUp', config.followUpMode),
    };
    for (const action of before) this.#act(action);
    const context = { messages: structuredClone(history), tools: this.#tools };
    const rest = [loopConfig, this.#observe, this.#controller.signal, this.#streamFn] as const;
    const returned =
      api === 'loop'
        ? await runAgentLoop(structuredClone(prompt), context, ...rest)
        : await runAgentLoopContinue(context, ...rest);
    this.#record.state = { returned: returned.map(brief) };
  }

  readonly #streamFn: StreamFn = (model, context, options) => {
    const { turns } = this.#scenario;
    const turn = turns[Math.min(this.#requests++, turns.length - 1)];
    if (!turn) throw new Error('The scenario has no turn.');
    this.#record.requests.push({
      model: model.id,
      messages: context.messages.map(brief),
      reasoning: options.reasoning,
      key: options.apiKey,
    });
    if (this.#requests > 12) throw new Error('runaway scenario');
    if (turn.throws) throw new Error(turn.throws);
    return scriptedStream(turn, MODEL, options.signal);
  };

  readonly #observe = (event: AgentEvent): void => {
    this.#tap?.event(event);
    this.#record.events.push(compact(event));
    const nth = (this.#seen.get(event.type) ?? 0) + 1;
    this.#seen.set(event.type, nth);
    for (const action of this.#scenario.actions) {
      if (action.on.type === event.type && action.on.nth === nth) this.#act(action);
    }
  };

  #act(action: Action): void {
    const agent = this.#agent;
    const { log } = this.#record;
    const message = user(action.text ?? '');
    log.push(`action ${action.do}`);
    switch (action.do) {
      case 'steer':
      case 'followUp':
        if (agent) agent[action.do](message);
        else this.#outside[action.do].push(message);
        break;
      case 'abort':
        if (agent) agent.abort();
        else this.#controller.abort();
        break;
      case 'clear':
        agent?.clearAllQueues();
        break;
      case 'dropTool':
        if (agent) agent.state.tools = agent.state.tools.slice(1);
        break;
      case 'peek':
        if (agent) log.push(`peek ${JSON.stringify(agent.peekQueuedMessages().map(brief))}`);
        break;
      case 'throw':
        throw new Error('listener failed');
      case 'prompt':
        agent?.prompt('again').then(
          () => log.push('second prompt ran'),
          (error: Error) => log.push(`second prompt: ${error.message}`),
        );
    }
  }

  /** Only the hooks that the scenario has rules for: an absent hook is a case of its own. */
  #hooks(): Partial<AgentLoopConfig> {
    const { hooks: rules } = this.#scenario;
    const { hookLog } = this.#record;
    const counts = new Map<string, number>();
    const next = (name: keyof AgentLoopConfig): { n: number; rule: Rule | undefined } => {
      const n = (counts.get(name) ?? 0) + 1;
      counts.set(name, n);
      const rule = rules[name];
      return { n, rule: rule && (rule.nth === undefined || rule.nth === n) ? rule : undefined };
    };
    const during = (rule: Rule | undefined) => {
      if (rule?.steerDuring) this.#act({ do: 'steer', text: rule.steerDuring });
      if (rule?.abort) this.#act({ do: 'abort' });
    };
    const fail = (rule: Rule | undefined, text: string) => {
      if (rule?.throw) throw new Error(text);
    };
    const level = (rule: Rule | undefined) =>
      rule?.thinkingLevel ? { thinkingLevel: rule.thinkingLevel } : {};
    const terminate = (rule: Rule) => (rule.terminate === undefined ? {} : { terminate: rule.terminate });
    const all: Partial<AgentLoopConfig> = {
      finishTurn: async ({ message, toolResults, context, newMessages }: Turn) => {
        const counted = `ctx=${context.messages.length} new=${newMessages.length}`;
        hookLog.push(`finishTurn ${message.stopReason} ${toolResults.length} ${counted}`);
        const { rule } = next('finishTurn');
        fail(rule, 'finishTurn failed');
        return Promise.resolve(rule?.action ? { action: rule.action } : undefined);
      },
      prepareNextTurn: async () => {
        const { n, rule } = next('prepareNextTurn');
        hookLog.push(`prepareNextTurn ${n}`);
        during(rule);
        return Promise.resolve(
          rule && { ...(rule.note ? { messages: [user(rule.note)] } : {}), ...level(rule) },
        );
      },
      prepareRequest: async ({ context, thinkingLevel }) => {
        const { rule } = next('prepareRequest');
        hookLog.push(`prepareRequest ctx=${context.messages.length} level=${thinkingLevel}`);
        fail(rule, 'prepareRequest failed');
        during(rule);
        return Promise.resolve(rule && level(rule));
      },
      beforeToolCall: async ({ toolCall, args }) => {
        const { rule } = next('beforeToolCall');
        hookLog.push(`before ${toolCall.name} ${JSON.stringify(args)}`);
        fail(rule, 'before failed');
        during(rule);
        if (rule?.mutate) args['value'] = 'mutated';
        if (!rule?.block) return Promise.resolve(undefined);
        return { block: true, ...(rule.reason ? { reason: rule.reason } : {}), ...terminate(rule) };
      },
      afterToolCall: async ({ toolCall, isError }) => {
        const { rule } = next('afterToolCall');
        hookLog.push(`after ${toolCall.name} ${isError}`);
        fail(rule, 'after failed');
        if (!rule) return Promise.resolve(undefined);
        return {
          ...(rule.text ? { content: [{ type: 'text' as const, text: rule.text }] } : {}),
          ...(rule.isError === undefined ? {} : { isError: rule.isError }),
          ...terminate(rule),
        };
      },
      transformContext: async (messages) => {
        const { rule } = next('transformContext');
        fail(rule, 'transform failed');
        return Promise.resolve(rule?.keep ? messages.slice(-rule.keep) : messages);
      },
      getApiKey: (provider) => {
        hookLog.push(`key ${provider}`);
        fail(next('getApiKey').rule, 'key failed');
        return 'k';
      },
    };
    return Object.fromEntries(Object.entries(all).filter(([name]) => name in rules));
  }
}
