/** Large libraries that jobs need: loaded when first used, and by the host, since only it knows how they are bundled. */
import type { QuickJSSyncVariant } from 'quickjs-emscripten-core';

export type ShellLibrary = typeof import('just-bash/browser');

export interface SandboxLibrary {
  core: typeof import('quickjs-emscripten-core');
  variant: QuickJSSyncVariant;
}

export interface Engines {
  loadShell: () => Promise<ShellLibrary>;
  loadSandbox: () => Promise<SandboxLibrary>;
}

/**
 * Takes them from the installed packages, as in Node. The names are variables, so that no bundler follows them: the shell
 * asks for `node:zlib`, and the sandbox for a file beside it.
 */
export const installedEngines: Engines = {
  loadShell: () => load<ShellLibrary>('just-bash/browser'),
  loadSandbox: async () => ({
    core: await load<SandboxLibrary['core']>('quickjs-emscripten-core'),
    variant: (await load<{ default: QuickJSSyncVariant }>('@jitl/quickjs-wasmfile-release-sync')).default,
  }),
};

async function load<T>(name: string): Promise<T> {
  return (await import(/* @vite-ignore */ name)) as T;
}
