import type {
  AgentMessage,
  AgentTool,
  Message,
  SystemMessage,
  Text,
  ToolDeclaration,
  TranscriptContext,
} from './types';

type Declares = Pick<ToolDeclaration, 'name' | 'description' | 'parameters'>;

/** The difference between two sets of tools; a changed declaration is removed and added. */
export interface ToolChanges {
  toolsAdded: ToolDeclaration[];
  toolsRemoved: { name: string }[];
}

function isSystem(message: AgentMessage): message is SystemMessage {
  return message.role === 'system';
}

/** What a model is told of a tool, as plain JSON without the tool's code. */
export function toolDeclaration(tool: Declares): ToolDeclaration {
  return {
    name: tool.name,
    description: tool.description,
    // Schema builders leave symbols and functions on their objects; JSON keeps what a model can read.
    parameters: JSON.parse(JSON.stringify(tool.parameters)) as object,
  };
}

/** The message that a transcript begins with, or nothing when there is neither a prompt nor a tool. */
export function createInitialSystemMessage(
  systemPrompt?: string,
  tools?: readonly Declares[],
): SystemMessage | undefined {
  const declared = (tools ?? []).map(toolDeclaration);
  if (!systemPrompt && declared.length === 0) return undefined;
  return {
    role: 'system',
    content: systemPrompt ?? '',
    ...(declared.length > 0 ? { toolsAdded: declared } : {}),
    timestamp: 0,
  };
}

/**
 * What a stream function gets: a copy of the list, led by a system message for `systemPrompt` and `tools` when they
 * are given. The only maker of a `TranscriptContext`.
 */
export function normalizeContext(context: {
  messages: readonly Message[];
  systemPrompt?: string;
  tools?: readonly Declares[];
}): TranscriptContext {
  const initial = createInitialSystemMessage(context.systemPrompt, context.tools);
  return {
    messages: initial ? [initial, ...context.messages] : [...context.messages],
  } as unknown as TranscriptContext;
}

/** The tools that the transcript declares after all its system messages. */
export function getCurrentTools(messages: readonly AgentMessage[]): ToolDeclaration[] {
  const declared = new Map<string, ToolDeclaration>();
  for (const message of messages) {
    if (!isSystem(message)) continue;
    for (const { name } of message.toolsRemoved ?? []) declared.delete(name);
    for (const tool of message.toolsAdded ?? []) declared.set(tool.name, tool);
  }
  return [...declared.values()];
}

/**
 * One system message that says what all of the transcript's say together: contents joined by blank lines, sections
 * patched by name, and the current tools. Nothing when the transcript has none.
 */
export function getCurrentSystemMessage(messages: readonly AgentMessage[]): SystemMessage | undefined {
  const system = messages.filter(isSystem);
  const first = system[0];
  if (!first) return undefined;
  const sections = new Map<string, string>();
  for (const message of system) {
    for (const [name, text] of Object.entries(message.sections ?? {})) {
      if (text === null) sections.delete(name);
      else sections.set(name, text);
    }
  }
  const tools = getCurrentTools(system);
  return {
    role: 'system',
    content: joinParts(system.map((message) => textOf(message.content))),
    ...(sections.size > 0 ? { sections: Object.fromEntries(sections) } : {}),
    ...(tools.length > 0 ? { toolsAdded: tools } : {}),
    timestamp: first.timestamp,
  };
}

/** The prompt as a model reads it: the replayed content, then the sections. Empty when there is none. */
export function getCurrentSystemPrompt(messages: readonly AgentMessage[]): string {
  const current = getCurrentSystemMessage(messages);
  if (!current) return '';
  return joinParts([textOf(current.content), ...Object.values(current.sections ?? {})]);
}

/** What must be declared so that the transcript declares exactly `tools`; of two with one name the first counts. */
export function toolChanges(declared: readonly ToolDeclaration[], tools: readonly Declares[]): ToolChanges {
  const before = new Map(declared.map((tool) => [tool.name, identity(tool)]));
  const now = new Map<string, Declares>();
  for (const tool of tools) if (!now.has(tool.name)) now.set(tool.name, tool);
  const changed = [...now.values()].filter((tool) => before.get(tool.name) !== identity(tool));
  const isChanged = new Set(changed.map((tool) => tool.name));
  return {
    toolsAdded: changed.map(toolDeclaration),
    toolsRemoved: declared
      .filter((tool) => !now.has(tool.name) || isChanged.has(tool.name))
      .map((tool) => ({ name: tool.name })),
  };
}

/**
 * Makes the pending messages declare the runnable tools: a difference from the transcript replaces the tool fields of
 * the last pending system message, or becomes a system message of its own ahead of them.
 */
export function declareTools<P extends { readonly message: AgentMessage }>(
  transcript: readonly AgentMessage[],
  pending: readonly P[],
  tools: readonly AgentTool[],
  wrap: (message: SystemMessage) => P,
  timestamp: () => number,
): readonly P[] {
  const at = pending.findLastIndex(({ message }) => isSystem(message));
  const last = pending[at];
  const bare = last && isSystem(last.message) ? withoutTools(last.message) : undefined;
  const declared = pending.map(({ message }, index) => (bare && index === at ? bare : message));
  const changes = toolChanges(getCurrentTools([...transcript, ...declared]), tools);
  const fields = {
    ...(changes.toolsAdded.length > 0 ? { toolsAdded: changes.toolsAdded } : {}),
    ...(changes.toolsRemoved.length > 0 ? { toolsRemoved: changes.toolsRemoved } : {}),
  };
  if (last && bare) return pending.with(at, { ...last, message: { ...bare, ...fields } });
  if (Object.keys(fields).length === 0) return pending;
  return [wrap({ role: 'system', content: '', ...fields, timestamp: timestamp() }), ...pending];
}

function withoutTools(message: SystemMessage): SystemMessage {
  const bare = { ...message };
  delete bare.toolsAdded;
  delete bare.toolsRemoved;
  return bare;
}

function identity(tool: Declares): string {
  return JSON.stringify([tool.description, tool.parameters]);
}

function textOf(content: string | Text[]): string {
  return typeof content === 'string' ? content : content.map((part) => part.text).join('\n');
}

function joinParts(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n');
}
