import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { helpGroups } from './help-keys';

/** Where the keys of each group are listened to. */
const listeners: Record<string, string[]> = {
  composer: ['composer/Composer.svelte'],
  everywhere: ['keys.ts'],
  outline: ['outline/row-keys.ts'],
  search: ['search/SearchField.svelte'],
  time: ['timeline/axis-keys.ts'],
  loop: ['loop-map/MapStationButtons.svelte', 'loop-map/LoopCode.svelte'],
  files: ['files/FileTree.svelte', 'files/EditView.svelte'],
  queues: ['queues/QueueCard.svelte'],
  edges: ['lib/Splitter.svelte'],
  setup: ['setup/PromptField.svelte'],
  manual: ['manual/AnswerPanel.svelte'],
};

/** Keys that need no help: of menus, tabs, lists of a field, and fields that Enter ends and Escape leaves as they were. */
const asEverywhere = [
  'centre/Lower.svelte',
  'conversation/PromptEditor.svelte',
  'early-keys.ts',
  'files/FileView.svelte',
  'inspector/Inspector.svelte',
  'lib/Dialog.svelte',
  'lib/Menu.svelte',
  'lib/NoticeList.svelte',
  'palette/Palette.svelte',
  'sessions/SessionsDialog.svelte',
  'settings/ModelField.svelte',
];

/** What the code knows, and nobody can do yet or needs to be told. */
const untold: Record<string, string[]> = {
  // They go through time, and the page cannot yet.
  time: ['←', '→', '='],
  // Of the field that is open in a card, and the other two arrows in the words of the help.
  queues: ['Enter', 'Esc', '←', '→'],
  // A save by another key, and an Escape that is only kept to itself.
  files: ['Esc'],
};

const called: Record<string, string> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Escape: 'Esc',
  Delete: 'Del',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
  BracketLeft: '[',
  BracketRight: ']',
  '-': '−',
};

const name = 'Enter|Escape|Home|End|Page(?:Up|Down)|Arrow\\w+|Space|Delete|F\\d+|Key[A-Z]|Bracket\\w+';
/** As a text, or as the name of an entry of a table. */
const names = new RegExp(`'(${name})'|\\b(${name}):`, 'g');
const signs = /(?:=== |[{,] )'([^'\w\s])'/g;

function read(file: string): string {
  const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
  return text.replace(/\/\*[\s\S]*?\*\/|<!--[\s\S]*?-->|^\s*\/\/.*$/gm, '').replace(/<style>[\s\S]*/, '');
}

/** The keys that a file names, as the help calls them. */
function keysIn(file: string): string[] {
  const text = read(file);
  const found = [...text.matchAll(names), ...text.matchAll(signs)].map(
    ([, key, entry]) => key ?? entry ?? '',
  );
  return found.map((key) => called[key] ?? key.replace(/^Key/, ''));
}

/** The keys that a group tells of, without what is held with them. */
function toldIn(name: string): string[] {
  const group = helpGroups.find((each) => each.name === name);
  return (group?.keys ?? []).flatMap(({ keys }) => keys.map((key) => key().replace(/^.+\+(?=.)/, '')));
}

it.each(Object.entries(listeners))('the help leaves out no key of this place: %s', (name, files) => {
  const told = new Set([...toldIn(name), ...toldIn('everywhere'), ...(untold[name] ?? [])]);
  expect(files.flatMap(keysIn).filter((key) => !told.has(key))).toEqual([]);
});

it('every place of the help has its listener, and every listener of keys has its place', () => {
  expect(Object.keys(listeners).sort()).toEqual(helpGroups.map(({ name }) => name).sort());
  // Those without a key of their own hand theirs on.
  const all = readdirSync(new URL('..', import.meta.url), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /(?<!\.test)\.(svelte|ts)$/.test(file) && /: KeyboardEvent/.test(read(file)))
    .filter((file) => keysIn(file).length > 0);
  const known = [...Object.values(listeners).flat(), ...asEverywhere];
  expect(all.filter((file) => !known.includes(file))).toEqual([]);
  expect(known.filter((file) => keysIn(file).length === 0)).toEqual([]);
});
