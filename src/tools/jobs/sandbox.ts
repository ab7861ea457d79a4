import type { QuickJSContext, QuickJSHandle, QuickJSRuntime } from 'quickjs-emscripten-core';
import type { Engines } from './engines';
import { errorMessage, JobStopped } from './job';
import type { JobContext, JsJob, JsResult, NestedResult } from './job';
import { SANDBOX_PRELUDE } from './sandbox-prelude';

const PAGE_BYTES = 65_536;
const MAX_MEMORY_BYTES = 64 * 1024 * 1024;
const STACK_BYTES = 256 * 1024;
/** Characters. */
const MAX_OUTPUT = 8 * 1024 * 1024;
/** Code in the global scope whose `await` waits (JS_EVAL_FLAG_ASYNC); its promise gives `{ value }`. */
const ASYNC_SCRIPT = 1 << 7;

export interface SandboxPlace {
  engines: Engines;
  /** Does the engine's work, none of which waits, at a time that is not real. */
  atTime?: (<T>(work: () => T) => T) | undefined;
}

/**
 * Runs code in an engine of its own, which is thrown away afterwards: no network, no files, and other tools only through
 * `callTool`. The time limit is for the code alone. Throws `JobStopped` at the limits of time, memory and output.
 */
export async function runSandbox(
  job: JsJob,
  context: JobContext,
  { engines, atTime = (work) => work() }: SandboxPlace,
): Promise<JsResult> {
  const { core, variant } = await engines.loadSandbox();
  // The engine's own limit counts only what its code asks for.
  const wasmMemory = new WebAssembly.Memory({ initial: 256, maximum: MAX_MEMORY_BYTES / PAGE_BYTES });
  const engine = await core.newQuickJSWASMModuleFromVariant(core.newVariant(variant, { wasmMemory }));
  try {
    const sandbox = atTime(() => new Sandbox(engine.newRuntime(), job.timeoutMs, context, atTime));
    return await sandbox.run(job.code);
  } catch (error) {
    // When there is no memory at all, the engine itself breaks.
    throw error instanceof WebAssembly.RuntimeError ? new JobStopped('memory') : error;
  }
}

class Sandbox {
  private readonly engine: QuickJSContext;
  private readonly calls = new Set<Promise<void>>();
  private remainingMs: number;
  private stopped: JobStopped | undefined;
  private printed = 0;

  constructor(
    private readonly runtime: QuickJSRuntime,
    timeoutMs: number,
    private readonly context: JobContext,
    private readonly atTime: NonNullable<SandboxPlace['atTime']>,
  ) {
    this.remainingMs = timeoutMs;
    runtime.setMaxStackSize(STACK_BYTES);
    this.engine = runtime.newContext();
  }

  async run(code: string): Promise<JsResult> {
    const { engine } = this;
    const prelude = engine.unwrapResult(engine.evalCode(SANDBOX_PRELUDE, 'prelude.js', 0));
    const print = engine.newFunction('print', (text) => this.print(engine.getString(text)));
    const call = engine.newFunction('call', (name, args) =>
      this.call(engine.getString(name), JSON.parse(engine.getString(args))),
    );
    const write = engine.unwrapResult(engine.callFunction(prelude, engine.undefined, print, call));
    const { value, error } = await this.evaluate(code);
    if (error) return { error: this.errorText(error) };
    const last = value && engine.getProp(value, 'value');
    if (!last || engine.typeof(last) === 'undefined') return {};
    return {
      value: engine.getString(
        this.enter(() => engine.unwrapResult(engine.callFunction(write, engine.undefined, last))),
      ),
    };
  }

  /** Evaluates until the code and all its calls have settled. */
  private async evaluate(code: string): Promise<{ value?: QuickJSHandle; error?: QuickJSHandle }> {
    const { engine, runtime } = this;
    const started = this.enter(() => this.start(code));
    if (started.error) return { error: started.error };
    for (;;) {
      const { error } = this.enter(() => runtime.executePendingJobs());
      if (error) return { error };
      const state = engine.getPromiseState(started.value);
      if (state.type !== 'pending' && this.calls.size === 0)
        return state.type === 'fulfilled' ? { value: state.value } : { error: state.error };
      if (this.calls.size === 0) throw new Error('The code waits for a promise that nothing will settle.');
      await Promise.race(this.calls);
      this.context.signal?.throwIfAborted();
    }
  }

  /** A `return` outside of a function is a mistake that is easy to understand. */
  private start(code: string) {
    const started = this.engine.evalCode(code, 'script.js', ASYNC_SCRIPT);
    if (!started.error) return started;
    if (!String((this.engine.dump(started.error) as Error).message).startsWith('return not in a function'))
      return started;
    return this.engine.evalCode(`await (async () => {${code}\n})()`, 'script.js', ASYNC_SCRIPT);
  }

  /** Lets the engine work, within what is left of the time. */
  private enter<T>(work: () => T): T {
    const startedAt = performance.now();
    const end = startedAt + this.remainingMs;
    this.runtime.setInterruptHandler(() => {
      if (!this.stopped && performance.now() > end) this.stopped = new JobStopped('time');
      return this.stopped !== undefined;
    });
    const result = this.atTime(work);
    this.remainingMs -= performance.now() - startedAt;
    if (this.stopped) throw this.stopped;
    return result;
  }

  private print(text: string): void {
    this.printed += text.length;
    if (this.printed > MAX_OUTPUT) this.stopped ??= new JobStopped('output');
    else this.context.onOutput?.(text);
  }

  private call(name: string, args: unknown): QuickJSHandle {
    const { engine } = this;
    const promise = engine.newPromise();
    const settle = (result: NestedResult) => {
      engine.newString(JSON.stringify(result)).consume((text) => promise.resolve(text));
    };
    const called: Promise<void> = this.callTool(name, args)
      .then(settle)
      .finally(() => this.calls.delete(called));
    this.calls.add(called);
    return promise.handle;
  }

  private async callTool(name: string, args: unknown): Promise<NestedResult> {
    const { callTool } = this.context;
    if (!callTool) return { text: 'No other tools can be called here.', isError: true };
    try {
      return await callTool(name, args);
    } catch (error) {
      return { text: errorMessage(error), isError: true };
    }
  }

  private errorText(error: QuickJSHandle): string {
    const thrown = this.engine.dump(error) as unknown;
    if (typeof thrown !== 'object' || thrown === null || !('message' in thrown))
      return `Thrown: ${typeof thrown === 'string' ? thrown : JSON.stringify(thrown)}`;
    const { name, message, stack } = thrown as Partial<Error>;
    if (name === 'InternalError' && message === 'out of memory') throw new JobStopped('memory');
    const places = (stack ?? '').split('\n').filter((line) => line.includes('script.js'));
    return [`${name ?? 'Error'}: ${message ?? ''}`, ...places.slice(0, 5)].join('\n');
  }
}
