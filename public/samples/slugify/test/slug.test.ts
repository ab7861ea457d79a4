import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slug, uniqueSlug } from '../src/index.ts';

test('joins words with a dash', () => {
  assert.equal(slug('Hello, World!'), 'hello-world');
  assert.equal(slug('  24 hours --- in Rome  '), '24-hours-in-rome');
});

test('takes another separator', () => {
  assert.equal(slug('Hello, World!', { separator: '_' }), 'hello_world');
});

test('drops accents', () => {
  assert.equal(slug('Crème Brûlée'), 'creme-brulee');
  assert.equal(slug('Über den Dächern'), 'uber-den-dachern');
});

test('drops accents that are characters of their own', () => {
  assert.equal(slug('Cafe\u0301 Zoe\u0308'), 'cafe-zoe');
});

test('spells out letters that have no base letter', () => {
  assert.equal(slug('Straße & Smørrebrød'), 'strasse-and-smorrebrod');
});

test('ends after a whole word when it is too long', () => {
  assert.equal(slug('A very long title', { maxLength: 11 }), 'a-very-long');
  assert.equal(slug('A very long title', { maxLength: 12 }), 'a-very-long');
  assert.equal(slug('Extraordinary', { maxLength: 5 }), 'extra');
});

test('is empty without letters and digits', () => {
  assert.equal(slug('?!'), '');
});

test('finds a name that is not taken', () => {
  assert.equal(uniqueSlug('Notes', new Set()), 'notes');
  assert.equal(uniqueSlug('Notes', new Set(['notes', 'notes-2'])), 'notes-3');
  assert.equal(uniqueSlug('?', new Set()), 'untitled');
});
