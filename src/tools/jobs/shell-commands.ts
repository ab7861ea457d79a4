import type { defineCommand } from 'just-bash/browser';

type Execute = Parameters<typeof defineCommand>[1];

/** The shell's `ls`, which puts an empty line after each file that it is given: `ls *.md | wc -l` must count files. */
export const ls: Execute = async (args, context) => {
  const original = context.origCommand;
  if (!original) throw new Error('The shell has no ls.');
  const options = args.filter((arg) => arg.startsWith('-'));
  const paths = args.filter((arg) => !arg.startsWith('-'));
  if (paths.length < 2 || args.includes('--')) return original(args);
  const asFiles = options.some((option) => /^-[a-zA-Z0-9]*d|^--directory$/.test(option));
  const folders: string[] = [];
  const results: Awaited<ReturnType<Execute>>[] = [];
  for (const path of paths) {
    if (!asFiles && (await isFolder(path, context))) folders.push(path);
    else results.push(await original([...options, path]));
  }
  const files = results.map(({ stdout }) => stdout).join('');
  if (folders.length > 0) {
    const listing = await original([...options, ...folders]);
    const title = folders.length === 1 ? `${folders[0]}:\n` : '';
    results.push({ ...listing, stdout: `${files === '' ? '' : '\n'}${title}${listing.stdout}` });
  }
  return {
    stdout: results.map(({ stdout }) => stdout).join(''),
    stderr: results.map(({ stderr }) => stderr).join(''),
    exitCode: Math.max(...results.map(({ exitCode }) => exitCode)),
  };
};

async function isFolder(path: string, { fs, cwd }: Parameters<Execute>[1]): Promise<boolean> {
  const resolved = fs.resolvePath(cwd, path);
  return (await fs.exists(resolved)) && (await fs.stat(resolved)).isDirectory;
}
