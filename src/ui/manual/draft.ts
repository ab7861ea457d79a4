/** What a person writes as the model, before it is sent: every field is there, and texts are as they were typed. */
import * as v from 'valibot';
import type { ManualAnswer } from '../../protocol';
import { readAnswer, writeAnswer } from '../drafts';
import { argumentsOf, fieldProblem, fieldsOf } from './fields';
import type { Arguments, FieldProblem } from './fields';
import type { ToolDeclaration } from './seen';

type StopReason = NonNullable<ManualAnswer['stopReason']>;

export const stopReasons = ['stop', 'toolUse', 'length', 'error', 'aborted'] as const satisfies StopReason[];
/** Characters of a piece, and ms between pieces; at once has neither. */
const paces = {
  atOnce: {},
  fast: { chunk: 24, gapMs: 16 },
  normal: { chunk: 6, gapMs: 24 },
  slow: { chunk: 3, gapMs: 90 },
} satisfies Record<string, Pick<ManualAnswer, 'chunk' | 'gapMs'>>;
export type Pace = keyof typeof paces;
export const paceNames = Object.keys(paces) as Pace[];

const fieldSchema = v.object({
  name: v.string(),
  kind: v.picklist(['text', 'number', 'boolean', 'choice', 'json']),
  text: v.string(),
});
const callSchema = v.object({
  /** Tells the calls of a draft apart. */
  key: v.number(),
  name: v.string(),
  /** Of a call that is written as a form; without it, `raw` is what the model sends. */
  form: v.exactOptional(v.array(fieldSchema)),
  raw: v.string(),
});
const draftSchema = v.object({
  thinking: v.string(),
  text: v.string(),
  calls: v.array(callSchema),
  stopReason: v.picklist(['byContent', ...stopReasons]),
  errorMessage: v.string(),
  pace: v.picklist(paceNames),
  /** The message that it answers: it is no draft for anything else. */
  answers: v.exactOptional(v.string()),
});

export type CallDraft = v.InferOutput<typeof callSchema>;
export type AnswerDraft = v.InferOutput<typeof draftSchema>;

/** Where something is missing or cannot be read: a field of a call, its name, or the answer as a whole. */
export type DraftProblem =
  | { at: 'answer' }
  | { at: 'name'; key: number }
  | { at: 'field'; key: number; name: string; problem: FieldProblem };

export function emptyDraft(pace: Pace = 'normal'): AnswerDraft {
  return { thinking: '', text: '', calls: [], stopReason: 'byContent', errorMessage: '', pace };
}

/** Nothing that was typed would be lost with it. */
export function isEmptyDraft({ thinking, text, calls, errorMessage }: AnswerDraft): boolean {
  return thinking === '' && text === '' && calls.length === 0 && errorMessage === '';
}

/** The draft that is kept of a session for what is to be answered, or an empty one. */
export function readAnswerDraft(session: string, answers: string): AnswerDraft {
  try {
    const draft = v.parse(draftSchema, JSON.parse(readAnswer(session) ?? ''));
    return (draft.answers ?? answers) === answers ? draft : emptyDraft(draft.pace);
  } catch {
    // Not ours, or of another version of the page: as good as none.
    return emptyDraft();
  }
}

export function writeAnswerDraft(session: string, draft: AnswerDraft): void {
  const isUsual = isEmptyDraft(draft) && draft.pace === 'normal' && draft.stopReason === 'byContent';
  writeAnswer(session, isUsual ? undefined : JSON.stringify(draft));
}

/** A call of a tool: a form when the tool is declared and the text is a JSON object (or empty), else raw. */
export function callDraft(
  { calls }: Pick<AnswerDraft, 'calls'>,
  { name, raw = '' }: { name: string; raw?: string },
  tools: readonly ToolDeclaration[],
): CallDraft {
  const key = Math.max(0, ...calls.map((call) => call.key)) + 1;
  const call = { key, name, raw };
  return asForm(raw === '' ? { ...call, raw: '{}' } : call, tools) ?? call;
}

/** The same call as a form; `undefined` when no tool of its name is declared or its text is no JSON object. */
export function asForm(call: CallDraft, tools: readonly ToolDeclaration[]): CallDraft | undefined {
  const tool = tools.find(({ name }) => name === call.name);
  const args = tool && objectIn(call.raw);
  return args && { ...call, raw: '', form: fieldsOf(tool.parameters, args) };
}

/** The same call as the JSON text that it would send. A field that cannot be read stands in it as it was typed. */
export function asRaw({ form, ...call }: CallDraft, tools: readonly ToolDeclaration[]): CallDraft {
  if (!form) return call;
  const schema = schemaOf(call.name, tools);
  const said = argumentsOf(schema, form);
  const entries = form.flatMap(({ name, text }) => {
    const given = Object.hasOwn(said, name);
    if (!given && text === '') return [];
    const value = given ? JSON.stringify(said[name], undefined, 2).replaceAll('\n', '\n  ') : text;
    return [`  ${JSON.stringify(name)}: ${value}`];
  });
  return { ...call, raw: entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n}` };
}

/** Whether a text is what arguments must be. */
export function isObjectText(text: string): boolean {
  return objectIn(text) !== undefined;
}

/** How the answer ends when nothing else is chosen. */
export function usualStopReason({ calls }: Pick<AnswerDraft, 'calls'>): StopReason {
  return calls.length > 0 ? 'toolUse' : 'stop';
}

/** What keeps the draft from being an answer, in the order of the form. Raw arguments may be anything. */
export function draftProblems(draft: AnswerDraft, tools: readonly ToolDeclaration[]): DraftProblem[] {
  const ofCalls = draft.calls.flatMap(({ key, name, form = [] }): DraftProblem[] => {
    const schema = schemaOf(name, tools);
    const ofFields = form.flatMap((field): DraftProblem[] => {
      const problem = fieldProblem(schema, field);
      return problem ? [{ at: 'field', key, name: field.name, problem }] : [];
    });
    return name.trim() === '' ? [{ at: 'name', key }, ...ofFields] : ofFields;
  });
  // An empty answer is one that somebody chose, not one that slipped out.
  const saysNothing = isEmptyDraft(draft) && draft.stopReason === 'byContent';
  return saysNothing ? [{ at: 'answer' }] : ofCalls;
}

/** The answer that a draft without problems is. */
export function answerOf(draft: AnswerDraft, tools: readonly ToolDeclaration[]): ManualAnswer {
  const { thinking, text, calls, stopReason, errorMessage, pace } = draft;
  const fails = stopReason === 'error' || stopReason === 'aborted';
  return {
    blocks: [
      ...(thinking === '' ? [] : [{ type: 'thinking' as const, thinking }]),
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ name, form, raw }) => ({
        type: 'toolCall' as const,
        name: name.trim(),
        ...(form ? { arguments: argumentsOf(schemaOf(name, tools), form) } : { rawArguments: raw }),
      })),
    ] as ManualAnswer['blocks'],
    ...(stopReason === 'byContent' ? {} : { stopReason }),
    ...(fails && errorMessage !== '' ? { errorMessage } : {}),
    ...paces[pace],
  };
}

function schemaOf(name: string, tools: readonly ToolDeclaration[]): unknown {
  return tools.find((tool) => tool.name === name)?.parameters;
}

function objectIn(text: string): Arguments | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Arguments)
      : undefined;
  } catch {
    return undefined;
  }
}
