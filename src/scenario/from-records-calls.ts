/** What tools did, as scripted tools that give it again, and how long the built-in ones took. */
import type { Text, ToolDeclaration } from '../loop/types';
import type { RecordedContent, RecordedResult, RecordOf, TraceRecord } from '../records/types';
import { builtInTools } from './built-in-tools';
import { isPlain } from './from-records-blocks';
import { wholeContent, type ReadBlob } from './from-records-blobs';
import type { Scenario, ScriptedResult, ScriptedTool, ScriptedUpdate } from './types';

const MAX_MS = 3_600_000;
/** What an abort cut short must not end by itself in the replay before its own abort comes, or the grace after it. */
const BEYOND_MS = 10_000;
/** What tools say that an abort ended early, and what the loop says of those that it had to give up. */
const ABORTED = 'Operation aborted';
const ABANDONED = /^Aborted: tool ".*" did not stop in time/;
/** They give what the world outside says, which may be another thing next time. */
const reachingOut: readonly string[] = ['fetch'];
/** Their time is their own: an answer's, or what their arguments say. */
const ownTime: readonly string[] = ['ask', 'wait'];

type End = RecordOf<'tool_execution_end'> | RecordOf<'nested_call_end'>;

/** A call of a tool, in the order in which calls begin. */
interface Call {
  tool: string;
  /** ms; when it began to run. */
  at?: number;
  updates: RecordOf<'tool_execution_update'>[];
  end?: End;
  /** The code of another call made it. */
  isNested: boolean;
  /** ms; when an abort came while it ran. */
  abortedAt?: number;
}

export class CallReader {
  readonly #blobs: ReadBlob;
  readonly #calls = new Map<string, Call>();
  readonly #declared = new Map<string, ToolDeclaration>();
  readonly #sequential = new Set<string>();
  /** Calls of which a person was asked whether they may reach out. */
  readonly #asked = new Set<string>();
  readonly #written = new Set<string>();

  constructor(blobs: ReadBlob) {
    this.#blobs = blobs;
  }

  read(record: TraceRecord): void {
    switch (record.type) {
      case 'tool_execution_start':
        this.#calls.set(record.call, { tool: record.toolName, updates: [], isNested: false });
        return;
      case 'nested_call_start': {
        const { call, toolName: tool, at } = record;
        this.#calls.set(call, { tool, at, updates: [], isNested: true });
        return;
      }
      case 'step':
        return this.#step(record);
      case 'tool_execution_update':
        this.#calls.get(record.call)?.updates.push(record);
        return;
      case 'tool_execution_end':
      case 'nested_call_end':
        return this.#end(record);
      case 'permission':
        // In the replay, where nobody is asked, it runs, and gives what was said instead.
        if (record.state === 'asked' && record.subject.fetch && record.call !== undefined)
          this.#asked.add(record.call);
        return;
      case 'abort':
      case 'interrupted':
        for (const call of this.#calls.values())
          if (call.at !== undefined && !call.end) call.abortedAt ??= record.at;
        return;
      case 'message_end':
        if (!('toolsAdded' in record.body)) return;
        for (const tool of record.body.toolsAdded ?? []) this.#declared.set(tool.name, tool);
    }
  }

  /** These tools, each written out where it is named first. */
  write(names: readonly string[]): (string | ScriptedTool)[] {
    return names.map((name) => {
      if (isBuiltIn(name) || this.#written.has(name)) return name;
      this.#written.add(name);
      return this.#scripted(name);
    });
  }

  /** Of the built-in tools, when the model calls them; a single number where all calls took the same. */
  durations(): Scenario['toolDurations'] {
    const durations: NonNullable<Scenario['toolDurations']> = {};
    for (const [name, calls] of this.#byTool()) {
      if (!isBuiltIn(name) || ownTime.includes(name)) continue;
      const own = calls.filter(({ isNested }) => !isNested);
      const took = own.map((call) => (isCut(call) ? lasting(call) : durationOf(call)));
      const [first = 0] = took;
      if (took.some((ms) => ms > 0)) durations[name] = took.every((ms) => ms === first) ? first : took;
    }
    return Object.keys(durations).length > 0 ? durations : undefined;
  }

  #step({ call, at, step }: RecordOf<'step'>): void {
    if (step.type === 'batch' && step.why === 'tool' && step.toolName) this.#sequential.add(step.toolName);
    if (step.type === 'execute') this.#begin(call, at);
  }

  #begin(id: string | undefined, at: number): void {
    const call = this.#calls.get(id ?? '');
    if (call) call.at = at;
  }

  #end(record: End): void {
    const call = this.#calls.get(record.call);
    if (!call) return;
    // An abort may come between the step and the tool, which then never began.
    if (record.durationMs === undefined) delete call.at;
    if (this.#asked.has(record.call)) call.at ??= record.at;
    call.end = record;
  }

  /** The calls that ran. */
  #byTool(): Map<string, Call[]> {
    const byTool = new Map<string, Call[]>();
    for (const call of this.#calls.values())
      if (call.at !== undefined) byTool.set(call.tool, [...(byTool.get(call.tool) ?? []), call]);
    return byTool;
  }

  #scripted(name: string): ScriptedTool {
    const { description, parameters } = this.#declared.get(name) ?? {
      description: name,
      parameters: anything,
    };
    const results = (this.#byTool().get(name) ?? []).map((call) => this.#result(call));
    const [only] = results;
    return {
      name,
      ...(description === name ? {} : { description }),
      ...(isSame(parameters, anything) ? {} : { parameters: parameters as Record<string, unknown> }),
      ...(this.#sequential.has(name) ? { mode: 'sequential' } : {}),
      ...(only && results.every((result) => isTemplate(result) && isSame(result, only))
        ? only
        : { durationMs: only?.durationMs ?? 0, ...(only ? { results } : {}) }),
    };
  }

  #result(call: Call): ScriptedResult {
    const { end, updates, at = 0 } = call;
    const told = updates.map((update) => this.#update(update, at));
    const shown = told.length > 0 ? { updates: told } : {};
    if (isCut(call) || !end) return { durationMs: lasting(call), ...shown };
    const left = call.abortedAt === undefined ? {} : { honourAbort: false };
    if (ABANDONED.test(onlyText(end.result.content) ?? ''))
      return { durationMs: lasting(call), ...shown, honourAbort: false };
    return { durationMs: durationOf(call), ...shown, ...this.#outcome(end), ...left };
  }

  #outcome({ result, isError }: End): Partial<ScriptedResult> {
    const { content, details, terminate } = result;
    const text = onlyText(content);
    const last = terminate ? { terminate } : {};
    // The loop gives the result of what was thrown empty details.
    if (isError && text !== undefined && isSame(details, {})) return { error: text, ...last };
    return {
      ...(text === undefined ? { content: wholeContent(content, this.#blobs) } : { result: text }),
      ...detailsOf(result),
      ...(isError ? { isError } : {}),
      ...last,
    };
  }

  #update(update: RecordOf<'tool_execution_update'>, start: number): ScriptedUpdate {
    const atMs = Math.min(MAX_MS, Math.max(0, Math.round(update.at - start)));
    if ('append' in update) return { atMs, append: update.append };
    const { content } = update.partial;
    return { atMs, content: wholeContent(content, this.#blobs), ...detailsOf(update.partial) };
  }
}

const anything = { type: 'object', additionalProperties: true };

function isBuiltIn(name: string): boolean {
  return builtInTools.includes(name) && !reachingOut.includes(name);
}

/** An abort ended it. */
function isCut({ end, abortedAt }: Call): boolean {
  return abortedAt !== undefined && (!end || (end.isError && onlyText(end.result.content) === ABORTED));
}

function durationOf({ end }: Call): number {
  return Math.min(MAX_MS, Math.max(0, Math.round(end?.durationMs ?? 0)));
}

/** ms that reach beyond what an abort left of it. */
function lasting({ at = 0, end, abortedAt = at }: Call): number {
  return Math.min(MAX_MS, Math.round(end?.durationMs ?? abortedAt - at) + BEYOND_MS);
}

function onlyText(content: readonly RecordedContent[]): string | undefined {
  const [first, second] = content;
  return first?.type === 'text' && !second ? (first satisfies Text).text : undefined;
}

function detailsOf({ details }: RecordedResult): { details?: unknown } {
  return details !== undefined && isPlain(JSON.stringify(details)) ? { details } : {};
}

/** Whether a tool can give it to all calls: its texts are templates. */
function isTemplate({ updates, content, details, result = '', error = '' }: ScriptedResult): boolean {
  return !updates && !content && details === undefined && !`${result}${error}`.includes('{{');
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
