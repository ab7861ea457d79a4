/** What a session is played with: made of how it begins, or of what is stored of it. */
import type { QueueMode, ThinkingLevel, ToolExecutionMode } from '../loop/types';
import type { Endpoint, SessionSetup } from '../protocol';
import type { SessionConfig, SessionInfo } from '../records/types';
import { parseScenario } from '../scenario';
import type { Scenario, ScriptedTool } from '../scenario/types';
import { problem } from '../store';

export interface SessionPlan {
  scenario?: Scenario;
  /** The person's own model; absent when the scenario's script plays. */
  endpoint?: Endpoint;
  systemPrompt?: string;
  thinkingLevel: ThinkingLevel;
  tools: string[];
  steeringMode: QueueMode;
  followUpMode: QueueMode;
  toolExecution: ToolExecutionMode;
  requestLimit?: number;
}

/** Tools that a live session begins with. */
const liveTools = ['read', 'write', 'edit', 'ls', 'find', 'grep', 'bash', 'js', 'fetch', 'ask'];

/**
 * Looks at everything that comes from outside. Throws a ScenarioError, `scenario.needsEndpoint` or the problems of
 * `checkedEndpoint`.
 */
export function planOfSetup(setup: SessionSetup): SessionPlan {
  if (setup.kind === 'scenario') return planOfScenario(parseScenario(setup.scenario), setup.endpoint);
  const { systemPrompt, thinkingLevel = 'off', tools = liveTools } = setup;
  return {
    endpoint: checkedEndpoint(setup.endpoint),
    ...(systemPrompt ? { systemPrompt } : {}),
    thinkingLevel,
    tools,
    steeringMode: 'one-at-a-time',
    followUpMode: 'one-at-a-time',
    toolExecution: 'parallel',
  };
}

export function planOfScenario(scenario: Scenario, endpoint?: Endpoint): SessionPlan {
  const live = scenario.model.kind === 'live';
  if (live && !endpoint) throw problem('scenario.needsEndpoint');
  return {
    scenario,
    ...(live && endpoint ? { endpoint: checkedEndpoint(endpoint) } : {}),
    ...(scenario.systemPrompt === undefined ? {} : { systemPrompt: scenario.systemPrompt }),
    thinkingLevel: scenario.thinkingLevel ?? 'off',
    tools: toolNames(scenario.tools),
    steeringMode: scenario.steeringMode ?? 'one-at-a-time',
    followUpMode: scenario.followUpMode ?? 'one-at-a-time',
    toolExecution: scenario.toolExecution ?? 'parallel',
    ...(scenario.requestLimit === undefined ? {} : { requestLimit: scenario.requestLimit }),
  };
}

/** The plan of a stored session, with the settings as its last record left them. */
export function planOfStored(info: SessionInfo, config: SessionConfig): SessionPlan {
  const scenario = info.scenario === undefined ? undefined : parseScenario(info.scenario);
  const live = !scenario || scenario.model.kind === 'live';
  const { model, systemPrompt, requestLimit } = config;
  return {
    ...(scenario ? { scenario } : {}),
    // The key was never stored, and an address that can no longer be asked shows when it is asked.
    ...(live
      ? { endpoint: { baseUrl: model?.baseUrl ?? '', model: model?.id ?? '', api: 'openai-chat' } }
      : {}),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    thinkingLevel: config.thinkingLevel ?? 'off',
    tools: config.tools ?? [],
    steeringMode: config.steeringMode ?? 'one-at-a-time',
    followUpMode: config.followUpMode ?? 'one-at-a-time',
    toolExecution: config.toolExecution ?? 'parallel',
    ...(requestLimit === undefined ? {} : { requestLimit }),
  };
}

export function toolNames(tools: readonly (string | ScriptedTool)[] = []): string[] {
  return tools.map((tool) => (typeof tool === 'string' ? tool : tool.name));
}

/**
 * The endpoint, tidied. Throws `endpoint.badAddress {address}`, `endpoint.credentials` (they do not belong in an address:
 * records would carry them) or `endpoint.noModel`.
 */
export function checkedEndpoint({ baseUrl, model, api }: Endpoint): Endpoint {
  const address = String(baseUrl).trim().replace(/\/+$/, '');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw problem('endpoint.badAddress', { address });
  if (url.username || url.password || url.search || url.hash) throw problem('endpoint.credentials');
  if (!String(model).trim()) throw problem('endpoint.noModel');
  return { baseUrl: address, model: model.trim(), api };
}

/** The exact origin that a key belongs to; `undefined` for what is no address. */
export function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}
