/** The tools of a session: built-in ones on its files, and those that its scenario writes down. */
import type { AgentTool, ToolResult } from '../loop/types';
import type { Scenario, ScriptedTool } from '../scenario/types';
import { builtInTools } from '../scenario/built-in-tools';
import { problem } from '../store';
import { createTools } from '../tools';
import type { CallTool, ToolRunner } from '../tools';
import { scriptedTool, takingTime } from '../tools/scripted';
import type { Clock } from './clock';
import type { FileRecorder } from './file-recorder';
import type { NestedCalls } from './nested-calls';
import { Stillness } from './stillness';

export interface SessionToolsOptions {
  files: FileRecorder;
  clock: Clock;
  /** Holds virtual time, and returns what lets it go; absent when time is real. */
  hold?: (() => () => void) | undefined;
  /** Virtual ms that a built-in tool takes before it works, by its name; in a list, of its nth call. */
  durations?: Scenario['toolDurations'];
  /** How many calls of a tool ran before, by its name. */
  callsBefore: ReadonlyMap<string, number>;
  /** The call that runs now under a provider's id, of those that were not asked for yet. */
  takeCall: (toolCallId: string) => string | undefined;
  runner: ToolRunner;
  /** Asks the person, for a call. */
  ask: (question: string, signal: AbortSignal | undefined, call: string | undefined) => Promise<string>;
  samplesUrl?: string | undefined;
  nested: NestedCalls;
}

/** They take the time that their arguments say, or the person: virtual time goes on meanwhile. */
const inSessionTime: readonly string[] = ['wait', 'ask'];

interface Calling {
  /** Results wait for those of the calls before. */
  inTurn: boolean;
  idOf: (toolCallId: string) => string | undefined;
}
interface Timeless extends Pick<Calling, 'inTurn'> {
  still: Stillness;
  signal: AbortSignal | undefined;
}
/** A call of a built-in tool: its id, and the time that it has stopped. */
interface RealCall {
  id: string | undefined;
  still?: Stillness | undefined;
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

  /** Whether a tool of this name really works, and is not written down by a scenario. */
  isReal(name: string): boolean {
    return builtInTools.includes(name) && !this.#scripted.has(name);
  }

  /** The tools of these names, in order. Throws the problem `tool.unknown {name}`. */
  make(names: readonly string[]): AgentTool[] {
    const unknown = names.find((name) => !this.#scripted.has(name) && !builtInTools.includes(name));
    if (unknown !== undefined) throw problem('tool.unknown', { name: unknown });
    const { clock, durations = {} } = this.#options;
    const declared = this.#onFiles(names, { id: undefined });
    return names.flatMap((name) => {
      const script = this.#scripted.get(name);
      if (script) return this.#script(script);
      const tool = declared.get(name);
      if (!tool) return [];
      const ms = Object.hasOwn(durations, name) ? (durations[name] ?? 0) : 0;
      const execute = this.#execute(name, names, { inTurn: true, idOf: this.#options.takeCall });
      const real = { ...tool, execute };
      return takingTime(real, ms, { sleep: clock.sleep, nextCall: () => this.#nextCall(name) });
    });
  }

  /** The tools that a call's code can call: all but the sandbox itself, which could go on without end. */
  #makeNested(names: readonly string[], id: string): AgentTool[] {
    const callable = names.filter((name) => name !== 'js');
    const declared = this.#onFiles(callable, { id });
    return callable.flatMap((name) => {
      const script = this.#scripted.get(name);
      if (script) return this.#script(script);
      const tool = declared.get(name);
      // Not in turn: the call around it waits for it.
      const execute = this.#execute(name, callable, { inTurn: false, idOf: () => id });
      return tool ? { ...tool, execute } : [];
    });
  }

  #script(script: ScriptedTool): AgentTool {
    const { clock } = this.#options;
    return scriptedTool(script, { sleep: clock.sleep, nextCall: () => this.#nextCall(script.name) });
  }

  #nextCall(name: string): number {
    const call = this.#calls.get(name) ?? 0;
    this.#calls.set(name, call + 1);
    return call;
  }

  /** The built-in ones of these names, on a view of the files that tells that changes are the call's. */
  #onFiles(names: readonly string[], call: RealCall): Map<string, AgentTool> {
    const only = names.filter((name) => !this.#scripted.has(name));
    const { files, clock, runner, ask, samplesUrl } = this.#options;
    const tools = createTools(files.viewFor(call.id), {
      only,
      runner,
      sleep: clock.sleep,
      ask: (question, signal) => ask(question, signal, call.id),
      ...(samplesUrl === undefined ? {} : { samplesUrl }),
      callTool: this.#callTool(names, call),
    });
    return new Map(tools.map((tool) => [tool.name, tool]));
  }

  /** The time of a nested call is its own: it may stand still again, or pass while a person is asked. */
  #callTool(names: readonly string[], { id = '', still }: RealCall): CallTool {
    return (call, signal) => {
      const run = () =>
        this.#options.nested.run(id, call, (nested) => this.#makeNested(names, nested), signal);
      return still ? still.lend(run) : run();
    };
  }

  /** A tool as each of its calls gets it: on a view of the files of its own. */
  #execute(name: string, names: readonly string[], { inTurn, idOf }: Calling): AgentTool['execute'] {
    return (toolCallId, args, signal, onUpdate) => {
      const hold = inSessionTime.includes(name) ? undefined : this.#options.hold;
      const still = hold && new Stillness(hold);
      const tool = this.#onFiles(names, { id: idOf(toolCallId), still }).get(name);
      if (!tool) throw problem('tool.unknown', { name });
      if (!still) return tool.execute(toolCallId, args, signal, onUpdate);
      // Without updates: when they come depends on how fast the machine is.
      return this.#timeless(() => tool.execute(toolCallId, args, signal), { still, signal, inTurn });
    };
  }

  /**
   * In virtual time real work takes no time: the clock stands still, and results are given back in the order in which the
   * calls began, however long each really took.
   */
  async #timeless(work: () => Promise<ToolResult>, { still, signal, inTurn }: Timeless): Promise<ToolResult> {
    // Whoever ignores an abort must not hold the time in which it is given up.
    const letGo = () => still.end();
    signal?.addEventListener('abort', letGo, { once: true });
    const before = inTurn ? this.#turn : undefined;
    try {
      const result = work();
      if (inTurn) this.#turn = Promise.allSettled([before, result]);
      return await result;
    } finally {
      if (!signal?.aborted) await before;
      signal?.removeEventListener('abort', letGo);
      still.end();
    }
  }
}
