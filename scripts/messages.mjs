// Compiles the message catalogues to typed functions. `--pseudo` compiles them with the pseudo-locale en-XA
// to a folder of its own, which only the pseudo-locale's build reads.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pseudoCatalogue } from './pseudo-locale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const sources = [
  'project.inlang/settings.json',
  'src/i18n/messages/en.json',
  'src/i18n/messages/zh.json',
  'scripts/messages.mjs',
  'scripts/pseudo-locale.mjs',
];

/** Where the compiled catalogues are. @param {boolean} pseudo */
export function compiledFolder(pseudo) {
  return join(root, pseudo ? '.cache/pseudo/compiled' : 'src/i18n/compiled');
}

/** Whether the compiled catalogues are missing or older than their sources. @param {boolean} pseudo */
export function messagesAreStale(pseudo) {
  const stamp = join(compiledFolder(pseudo), 'stamp');
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== sourceHash();
}

function sourceHash() {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(join(root, source)));
  return hash.digest('hex');
}

/**
 * Compiles in a folder of its own and moves what came of it into its place file by file, the stamp last: another process
 * may compile at the same moment, and one that reads finds each file whole.
 * @param {boolean} pseudo
 */
async function compileMessages(pseudo) {
  const hash = sourceHash();
  mkdirSync(join(root, '.cache'), { recursive: true });
  const own = mkdtempSync(join(root, '.cache/messages-'));
  try {
    const outdir = join(own, 'compiled');
    const project = pseudo ? preparePseudoProject(own) : join(root, 'project.inlang');
    await compileTo(outdir, project);
    keepPluralRules(outdir);
    moveFiles(outdir, compiledFolder(pseudo));
    writeFileSync(join(own, 'stamp'), hash);
    renameSync(join(own, 'stamp'), join(compiledFolder(pseudo), 'stamp'));
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** The messages before the lists of them: nobody shall find a name without its file. @param {string} from @param {string} to */
function moveFiles(from, to) {
  const entries = readdirSync(from, { recursive: true, withFileTypes: true });
  for (const entry of entries.sort((a, b) => b.parentPath.length - a.parentPath.length)) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const target = join(to, path.slice(from.length));
    mkdirSync(dirname(target), { recursive: true });
    renameSync(path, target);
  }
}

/** @param {string} outdir @param {string} project */
async function compileTo(outdir, project) {
  const { compile } = await import('@inlang/paraglide-js');
  await compile({
    project,
    outdir,
    strategy: ['globalVariable', 'baseLocale'],
    // A module a message: what only a lazily loaded part says is loaded with it.
    outputStructure: 'message-modules',
    emitTsDeclarations: true,
    emitGitIgnore: false,
    emitPrettierIgnore: false,
    emitReadme: false,
    isServer: 'false',
    disableAsyncLocalStorage: true,
  });
}

/**
 * The compiled code makes the rules of a language anew for each number that it says, which is felt where rows scroll by:
 * they are made once.
 * @param {string} outdir
 */
function keepPluralRules(outdir) {
  const path = join(outdir, 'registry.js');
  const text = readFileSync(path, 'utf8');
  const anew = 'return new Intl.PluralRules(locale, options).select(Number(input))';
  if (!text.includes(anew))
    throw new Error('The compiler makes plurals in another way: look at keepPluralRules.');
  const kept =
    'return (rules[locale + options.type] ??= new Intl.PluralRules(locale, options)).select(Number(input))';
  writeFileSync(path, `const rules = {};\n${text.replace(anew, kept)}`);
}

/** Writes the pseudo-locale's project beside its catalogue and returns its path. @param {string} folder */
function preparePseudoProject(folder) {
  mkdirSync(join(folder, 'messages'), { recursive: true });
  mkdirSync(join(folder, 'project.inlang'), { recursive: true });
  const settings = readJson('project.inlang/settings.json');
  const catalogues = {
    en: readJson('src/i18n/messages/en.json'),
    zh: readJson('src/i18n/messages/zh.json'),
    'en-XA': pseudoCatalogue(readJson('src/i18n/messages/en.json')),
  };
  for (const [locale, catalogue] of Object.entries(catalogues))
    writeFileSync(join(folder, `messages/${locale}.json`), JSON.stringify(catalogue));
  writeFileSync(
    join(folder, 'project.inlang/settings.json'),
    JSON.stringify({
      ...settings,
      locales: Object.keys(catalogues),
      modules: settings.modules.map((/** @type {string} */ module) => join('../..', module)),
      'plugin.inlang.messageFormat': { pathPattern: './messages/{locale}.json' },
    }),
  );
  return join(folder, 'project.inlang');
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const pseudo = process.argv.includes('--pseudo');
  if (messagesAreStale(pseudo)) await compileMessages(pseudo);
  // The compiler's library keeps a timer of half a minute.
  process.exit(0);
}
