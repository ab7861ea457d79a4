import { problemAt, ScenarioError } from './error';
import { isBase64, isFilePath, isSamplePath } from './paths';
import type { Scenario } from './types';

/**
 * The files of a scenario as they are written at its start: texts as they are, base64 as bytes, samples as what
 * `loadSample` gives for their path under `samples/`. Throws a `ScenarioError` that names the file.
 */
export async function expandFiles(
  files: Scenario['files'],
  loadSample: (path: string) => Promise<Uint8Array>,
): Promise<Record<string, string | Uint8Array>> {
  const samples = new Map<string, Promise<Uint8Array>>();
  const sample = (path: string): Promise<Uint8Array> => {
    const loading = samples.get(path) ?? loadSample(path);
    samples.set(path, loading);
    return loading;
  };
  const entries = Object.entries(files ?? {}).map(async ([path, file]) => {
    if (!isFilePath(path)) throw problem(path, 'scenario.badFilePath');
    if (typeof file === 'string') return [path, file] as const;
    if ('base64' in file) return [path, bytes(path, file.base64)] as const;
    if (!isSamplePath(file.sample)) throw problem(path, 'scenario.badSample', { name: file.sample });
    try {
      // Each file its own copy: whoever changes one must not change the other.
      return [path, (await sample(file.sample)).slice()] as const;
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      throw problem(path, 'scenario.sampleMissing', { name: file.sample, detail });
    }
  });
  const expanded: (readonly [string, string | Uint8Array])[] = await Promise.all(entries);
  return Object.fromEntries(expanded);
}

function bytes(path: string, base64: string): Uint8Array {
  if (!isBase64(base64)) throw problem(path, 'scenario.badBytes');
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

function problem(
  path: string,
  code: `scenario.${string}`,
  params?: Record<string, string | number>,
): ScenarioError {
  return new ScenarioError([problemAt(['files', path], code, params)]);
}
