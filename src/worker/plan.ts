/** What a session is played with: made of how it begins, or of what is stored of it. */
import { isOpenQuery } from '../json/open-query';
import type { QueueMode, ThinkingLevel, ToolExecutionMode } from '../loop/types';
import type { Endpoint, ManualModel, SessionSetup } from '../protocol';
import type { RequestOptions, SessionConfig, SessionInfo, TraceRecord } from '../records/types';
import { safeParse } from 'valibot';
import { requestOptions } from '../records/schema-config';
import { parseScenario } from '../scenario';
import type { Scenario, ScriptedTool } from '../scenario/types';
import { cloneable, problem } from '../store';
import { withoutHidden } from './secrets';

export interface SessionPlan {
  scenario?: Scenario;
  /** The person's own model; absent when the scenario's script plays. */
  endpoint?: Endpoint | ManualModel;
  /** Time can be held and hurried: of a script, and of a person who is the model. */
  virtual: boolean;
  systemPrompt?: string;
  thinkingLevel: ThinkingLevel;
  tools: string[];
  steeringMode: QueueMode;
  followUpMode: QueueMode;
  toolExecution: ToolExecutionMode;
  requestLimit?: number;
  options?: RequestOptions;
}

/** Tools that a live session begins with. */
const liveTools = ['read', 'write', 'edit', 'ls', 'find', 'grep', 'bash', 'js', 'fetch', 'ask'];

/**
 * Looks at everything that comes from outside. Throws a ScenarioError, `scenario.needsEndpoint` or the problems of
 * `checkedEndpoint`.
 */
export function planOfSetup(setup: SessionSetup): SessionPlan {
  if (setup.kind === 'scenario') return planOfScenario(parseScenario(setup.scenario), setup.endpoint);
  const { systemPrompt, thinkingLevel = 'off', tools = liveTools, options } = setup;
  const requestLimit = checkedLimit(setup.requestLimit);
  return {
    endpoint: checkedModel(setup.endpoint),
    virtual: setup.endpoint === 'manual',
    ...(requestLimit ? { requestLimit } : {}),
    ...(options ? { options: checkedOptions(options) } : {}),
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
    virtual: !live,
    ...(scenario.systemPrompt === undefined ? {} : { systemPrompt: scenario.systemPrompt }),
    thinkingLevel: scenario.thinkingLevel ?? 'off',
    tools: toolNames(scenario.tools),
    steeringMode: scenario.steeringMode ?? 'one-at-a-time',
    followUpMode: scenario.followUpMode ?? 'one-at-a-time',
    toolExecution: scenario.toolExecution ?? 'parallel',
    ...(scenario.requestLimit === undefined ? {} : { requestLimit: scenario.requestLimit }),
  };
}

/** The plan of a stored session: with the settings as its last record left them, in the time that it began with. */
export function planOfStored(
  info: SessionInfo,
  config: SessionConfig,
  records: readonly TraceRecord[],
): SessionPlan {
  const scenario = info.scenario === undefined ? undefined : parseScenario(info.scenario);
  const live = !scenario || scenario.model.kind === 'live';
  const { model, systemPrompt, requestLimit, options } = config;
  const endpoint = model?.api === 'manual' ? 'manual' : live ? storedEndpoint(config) : undefined;
  return {
    ...(scenario ? { scenario } : {}),
    ...(endpoint ? { endpoint } : {}),
    virtual: isVirtual(info, records),
    ...(options ? { options: withoutHidden(options) } : {}),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    thinkingLevel: config.thinkingLevel ?? 'off',
    tools: config.tools ?? [],
    steeringMode: config.steeringMode ?? 'one-at-a-time',
    followUpMode: config.followUpMode ?? 'one-at-a-time',
    toolExecution: config.toolExecution ?? 'parallel',
    ...(requestLimit === undefined ? {} : { requestLimit }),
  };
}

/** The key was never stored, and an address that can no longer be asked shows when it is asked. */
function storedEndpoint({ model, prices, images }: SessionConfig): Endpoint {
  return {
    baseUrl: model?.baseUrl ?? '',
    model: model?.id ?? '',
    api: model?.api === 'openai-responses' ? model.api : 'openai-chat',
    ...(prices ? { prices } : {}),
    ...(images === undefined ? {} : { images }),
  };
}

/** Whether the session began with a model whose time can be held: that stays, whoever answers later. */
export function isVirtual({ scenario }: SessionInfo, records: readonly TraceRecord[]): boolean {
  for (const record of records)
    if (record.type === 'config' && record.set.model)
      return ['scripted', 'manual'].includes(record.set.model.api);
  return scenario !== undefined && parseScenario(scenario).model.kind === 'scripted';
}

/** Plain data of their own. Throws `config.badOptions`. */
export function checkedOptions(options: RequestOptions): RequestOptions {
  const parsed = safeParse(requestOptions, cloneable(options));
  if (!parsed.success) throw problem('config.badOptions');
  return parsed.output;
}

/** Throws `config.badLimit`. */
export function checkedLimit(limit: number | undefined): number | undefined {
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit >= 0)) throw problem('config.badLimit');
  return limit;
}

export function toolNames(tools: readonly (string | ScriptedTool)[] = []): string[] {
  return tools.map((tool) => (typeof tool === 'string' ? tool : tool.name));
}

export function checkedModel(endpoint: Endpoint | ManualModel): Endpoint | ManualModel {
  return endpoint === 'manual' ? endpoint : checkedEndpoint(endpoint);
}

/**
 * The endpoint, tidied. Throws `endpoint.badAddress {address}`, `endpoint.credentials` (they do not belong in an address:
 * records would carry them), `endpoint.noModel` or `endpoint.badPrices`.
 */
export function checkedEndpoint({ baseUrl, model, api, prices, images }: Endpoint): Endpoint {
  const address = String(baseUrl)
    .trim()
    .replace(/\/+(?=\?|$)/, '');
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw problem('endpoint.badAddress', { address });
  if (url.username || url.password || url.hash || !isOpenQuery(url.search))
    throw problem('endpoint.credentials');
  if (!String(model).trim()) throw problem('endpoint.noModel');
  if (prices && !Object.values(prices).every((price) => price >= 0 && price < Infinity))
    throw problem('endpoint.badPrices');
  return {
    baseUrl: address,
    model: model.trim(),
    api: api === 'openai-responses' ? api : 'openai-chat',
    ...(prices ? { prices } : {}),
    ...(images === undefined ? {} : { images }),
  };
}

/** The exact origin that a key belongs to; `undefined` for what is no address. */
export function originOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).origin : undefined;
}
