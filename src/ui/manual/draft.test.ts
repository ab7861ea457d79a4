import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerOf, asForm, asRaw, callDraft, draftProblems, emptyDraft, isEmptyDraft } from './draft';
import type { AnswerDraft } from './draft';

const tools = [
  {
    name: 'read',
    description: 'Reads a file.',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer' }, edits: { type: 'array' } },
      required: ['path'],
    },
  },
];

function draftWith(change: Partial<AnswerDraft>, ...calls: { name: string; raw?: string }[]): AnswerDraft {
  const draft = { ...emptyDraft(), ...change };
  for (const call of calls) draft.calls.push(callDraft(draft, call, tools));
  return draft;
}

describe('an answer', () => {
  it('has thinking, text and calls in this order, and leaves out what is empty', () => {
    const draft = draftWith({ thinking: 'Hm.', text: 'I read.' }, { name: 'read', raw: '{"path": "a"}' });
    expect(answerOf(draft, tools)).toEqual({
      blocks: [
        { type: 'thinking', thinking: 'Hm.' },
        { type: 'text', text: 'I read.' },
        { type: 'toolCall', name: 'read', arguments: { path: 'a' } },
      ],
      chunk: 6,
      gapMs: 24,
    });
    expect(answerOf(draftWith({ text: 'Yes.', pace: 'atOnce' }), tools)).toEqual({
      blocks: [{ type: 'text', text: 'Yes.' }],
    });
  });

  it('sends raw arguments as they are, however broken', () => {
    const draft = draftWith({}, { name: 'read', raw: '{"path": "a' });
    expect(answerOf(draft, tools).blocks).toEqual([
      { type: 'toolCall', name: 'read', rawArguments: '{"path": "a' },
    ]);
    expect(draftProblems(draft, tools)).toEqual([]);
  });

  it('says what went wrong only when its stop reason is a failure', () => {
    const failed = draftWith({ stopReason: 'error', errorMessage: 'Overloaded.' });
    expect(answerOf(failed, tools)).toMatchObject({ stopReason: 'error', errorMessage: 'Overloaded.' });
    expect(answerOf({ ...failed, stopReason: 'length' }, tools)).not.toHaveProperty('errorMessage');
  });
});

describe('a draft is no answer yet', () => {
  it('when it says nothing and no stop reason was chosen', () => {
    expect(draftProblems(emptyDraft(), tools)).toEqual([{ at: 'answer' }]);
    expect(draftProblems(draftWith({ stopReason: 'stop' }), tools)).toEqual([]);
  });

  it('when a call has no name, or its form is not filled in', () => {
    const draft = draftWith({}, { name: ' ', raw: '{}' }, { name: 'read' });
    expect(draftProblems(draft, tools)).toEqual([
      { at: 'name', key: 1 },
      { at: 'field', key: 2, name: 'path', problem: 'missing' },
    ]);
  });
});

describe('a call', () => {
  it('is a form when its tool is declared and its arguments are an object', () => {
    expect(callDraft(emptyDraft(), { name: 'read', raw: '{"path": "a"}' }, tools)).toHaveProperty('form');
    expect(callDraft(emptyDraft(), { name: 'read', raw: '[]' }, tools)).not.toHaveProperty('form');
    expect(callDraft(emptyDraft(), { name: 'other' }, tools)).not.toHaveProperty('form');
  });

  it('keeps its arguments from form to JSON and back', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (given) => {
        const raw = JSON.stringify({ path: '', ...given });
        const form = callDraft(emptyDraft(), { name: 'read', raw }, tools);
        const again = asRaw(form, tools);
        expect(JSON.parse(again.raw)).toEqual(JSON.parse(raw));
        expect(asForm(again, tools)).toEqual(form);
      }),
    );
  });

  it('keeps in its JSON what cannot be read, as it was typed', () => {
    const { form = [], ...call } = callDraft(emptyDraft(), { name: 'read', raw: '{"path": "a"}' }, tools);
    const typed = form.map((field) => (field.name === 'edits' ? { ...field, text: '[{' } : field));
    expect(asRaw({ ...call, form: typed }, tools).raw).toBe('{\n  "path": "a",\n  "edits": [{\n}');
  });
});

it('a draft is empty until something is written', () => {
  expect(isEmptyDraft(emptyDraft('slow'))).toBe(true);
  expect(isEmptyDraft(draftWith({ text: 'a' }))).toBe(false);
  expect(isEmptyDraft(draftWith({}, { name: 'read' }))).toBe(false);
});
