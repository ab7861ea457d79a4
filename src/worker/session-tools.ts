/** The tools of a session: built-in ones on its files, and those that its scenario writes down. */
import type { AgentTool, ToolResult } from '../loop/types';
import type { Scenario, ScriptedTool } from '../scenario/types';
import { builtInTools } from '../scenario/built-in-tools';
import { problem } from '../store';
import { createTools } from '../tools';
import type { VirtualFileSystem } from '../tools';
import { scriptedTool, takingTime } from '../tools/scripted';
import type { Clock } from './clock';
import type { FileRecorder } from './file-recorder';

export interface SessionToolsOptions {
  files: FileRecorder;
  clock: Clock;
  /** Holds virtual time, and returns what lets it go; absent when time is real. */
  hold?: (() => (() => void) | undefined) | undefined;
  /** Virtual ms that a built-in tool takes before it works, by its name; in a list, of its nth call. */
  durations?: Scenario['toolDurations'];
  /** How many calls of a tool ran before, by its name. */
  callsBefore: ReadonlyMap<string, number>;
  /** The call that runs now under a provider's id, of those that were not asked for yet. */
  takeCall: (toolCallId: string) => string | undefined;
}

export class SessionTools {
  readonly #options: SessionToolsOptions;
  readonly #scripted = new Map<string, ScriptedTool>();
  /** Counted here, since tools are made anew when they change. */
  readonly #calls: Map<string, number>;
  /** Settles when the calls of real tools that started before have been given back. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: SessionToolsOptions) {
    this.#options = options;
    this.#calls = new Map(options.callsBefore);
  }

  /** Scripted tools that can be named from now on; a later one replaces one of its name. */
  know(tools: readonly (string | ScriptedTool)[] = []): void {
    for (const tool of tools) if (typeof tool !== 'string') this.#scripted.set(tool.name, tool);
  }

  /** The tools of these names, in order. Throws the problem `tool.unknown {name}`. */
  make(names: readonly string[]): AgentTool[] {
    const { clock, durations = {} } = this.#options;
    const builtIn = names.filter((name) => !this.#scripted.has(name));
    const files = this.#options.files.viewFor(undefined);
    const declared = new Map(createKnown(files, builtIn).map((tool) => [tool.name, tool]));
    return names.flatMap((name) => {
      const script = this.#scripted.get(name);
      const timing = { sleep: clock.sleep, nextCall: () => this.#nextCall(name) };
      if (script) return scriptedTool(script, timing);
      const tool = declared.get(name);
      if (!tool) return [];
      const ms = Object.hasOwn(durations, name) ? (durations[name] ?? 0) : 0;
      return takingTime(this.#real(tool, builtIn), ms, timing);
    });
  }

  #nextCall(name: string): number {
    const call = this.#calls.get(name) ?? 0;
    this.#calls.set(name, call + 1);
    return call;
  }

  /** A tool that works in real time, on a view of the files that tells whose changes they are. */
  #real(tool: AgentTool, names: readonly string[]): AgentTool {
    const { files, takeCall } = this.#options;
    return {
      ...tool,
      execute: (id, args, signal, onUpdate) => {
        const view = files.viewFor(takeCall(id));
        const own = createKnown(view, names).find(({ name }) => name === tool.name) ?? tool;
        return this.#timeless(() => own.execute(id, args, signal, onUpdate), signal);
      },
    };
  }

  /**
   * In virtual time real work takes no time: the clock stands still, and results are given back in the order in which the
   * calls began, however long each really took.
   */
  async #timeless(work: () => Promise<ToolResult>, signal: AbortSignal | undefined): Promise<ToolResult> {
    const release = this.#options.hold?.();
    if (!release) return work();
    // Whoever ignores an abort must not hold the time in which it is given up.
    signal?.addEventListener('abort', release, { once: true });
    const before = this.#turn;
    const result = work();
    this.#turn = Promise.allSettled([before, result]);
    try {
      return await result;
    } finally {
      if (!signal?.aborted) await before;
      signal?.removeEventListener('abort', release);
      release();
    }
  }
}

/** Throws the problem `tool.unknown {name}`. */
function createKnown(fs: VirtualFileSystem, names: readonly string[]): AgentTool[] {
  const unknown = names.find((name) => !builtInTools.includes(name));
  if (unknown !== undefined) throw problem('tool.unknown', { name: unknown });
  return names.length === 0 ? [] : createTools(fs, { only: names });
}
