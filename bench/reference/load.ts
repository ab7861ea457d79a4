/** The reference adapter, which has a package of its own so that the page never depends on it. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What a benchmark needs of an adapter for Chat Completions, the reference's or ours. */
export type Adapter = (
  model: Record<string, unknown>,
  context: { messages: unknown[] },
  options: { apiKey: string; fetch: typeof fetch },
) => AsyncIterable<unknown> & { result(): Promise<{ stopReason: string; content: unknown[] }> };

const name = '@earendil-works/pi-ai';

/** The reference adapter, installed when it is missing; `undefined`, after a sentence that says why, when that fails. */
export async function loadReference(root: string): Promise<Adapter | undefined> {
  const folder = join(root, 'bench/reference');
  const failure = isInstalled(folder) ? undefined : install(folder);
  if (failure !== undefined) {
    console.log(
      `  The comparison is skipped: ${name} could not be installed, perhaps because the package registry cannot be ` +
        `reached (${failure}).`,
    );
    return undefined;
  }
  const file = join(folder, 'node_modules', name, 'dist/api/openai-completions.js');
  const { stream } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as { stream: Adapter };
  return stream;
}

function isInstalled(folder: string): boolean {
  const manifest = join(folder, 'node_modules', name, 'package.json');
  const wanted = versionsIn(join(folder, 'package.json')).dependencies?.[name];
  return existsSync(manifest) && versionsIn(manifest).version === wanted;
}

/** What npm says when it fails. */
function install(folder: string): string | undefined {
  console.log(`  Installing ${name} (npm ci in bench/reference) …`);
  const quick = ['--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=1', '--loglevel=error'];
  const { status, stderr, error } = spawnSync('npm', ['ci', ...quick], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status === 0) return undefined;
  return error?.message ?? (/reason: .*/.exec(stderr) ?? /npm error .*/.exec(stderr))?.[0] ?? 'npm ci failed';
}

function versionsIn(file: string): { version?: string; dependencies?: Record<string, string> } {
  return JSON.parse(readFileSync(file, 'utf8')) as ReturnType<typeof versionsIn>;
}
