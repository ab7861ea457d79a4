/** What the outline says of a note: a word, and what there is to know of it. */
import { errorText, m } from '../../i18n';
import type { Row } from '../../trace';
import type { GlyphKind } from '../lib/glyphs';
import { duration, number } from '../lib/format';
import { ruleText } from '../hooks/rule-text';
import { hookEffect } from '../lib/hook-effect';
import type { HookRule } from '../lib/types';
import { visiblePath } from '../lib/visible-name';

export type NoteRow = Extract<Row, { kind: 'note' }>;

export interface NoteText {
  glyph: GlyphKind;
  title: string;
  detail: string;
  /** The title is a name from the loop, which is not translated. */
  raw?: boolean;
  error?: boolean;
  /** The queue that it is about. */
  tone?: 'steering' | 'follow-up';
}

type NoteOf<T extends string> = Extract<NoteRow['note']['note'], { type: T }>;
type StepOf<T extends string> = Extract<NoteOf<'step'>['step'], { type: T }>;

export function noteText(row: Pick<NoteRow, 'note' | 'ask' | 'change' | 'from'>): NoteText {
  const { note } = row.note;
  switch (note.type) {
    case 'step':
      return stepText(note.step);
    case 'hook':
      return hookText(note);
    case 'http':
      return httpText(note);
    case 'abort':
      return { glyph: 'abort', title: m.row_abort(), detail: '' };
    case 'pause':
      return { glyph: 'pause', title: m.row_pause(), detail: '' };
    case 'config':
      return { glyph: 'note', title: m.row_config(), detail: settingsText(note) };
    case 'rewind':
      return { glyph: 'note', title: m.row_rewind(), detail: m.messages_count({ count: note.drop.length }) };
    case 'file':
      return fileText(row, note.path);
    case 'permission':
    case 'answer':
      return askText(row);
    case 'interrupted':
      return { glyph: 'abort', title: m.row_interrupted(), detail: '' };
  }
}

/** Which settings changed; of the rules, which of them and how. */
function settingsText({ set, rulesBefore = [] }: NoteOf<'config'>): string {
  const others = Object.keys(set).filter((name) => name !== 'rules');
  const rules = set.rules && rulesText(rulesBefore, set.rules);
  return [...(rules ? [rules] : []), ...others].join(', ');
}

function rulesText(before: readonly HookRule[], after: readonly HookRule[]): string {
  const said = after.flatMap((rule) => {
    const known = before.find(({ id }) => id === rule.id);
    const text = { rule: ruleText(rule) };
    if (!known) return m.row_rule_added(text);
    const [wasOn, isOn] = [known.on !== false, rule.on !== false];
    if (wasOn !== isOn) return isOn ? m.row_rule_on(text) : m.row_rule_off(text);
    return JSON.stringify(known) === JSON.stringify(rule) ? [] : m.row_rule_changed(text);
  });
  const gone = before.filter(({ id }) => !after.some((rule) => rule.id === id));
  // Nothing of the kind: they stand in another order.
  return [...said, ...gone.map((rule) => m.row_rule_removed({ rule: ruleText(rule) }))].join(', ') || 'rules';
}

const changes = {
  added: m.row_file_added,
  changed: m.row_file_changed,
  deleted: m.row_file_deleted,
  renamed: m.row_file_renamed,
};

function fileText({ change = 'changed', from }: Pick<NoteRow, 'change' | 'from'>, path: string): NoteText {
  const detail = from === undefined ? visiblePath(path) : `${visiblePath(from)} → ${visiblePath(path)}`;
  return { glyph: 'note', title: changes[change](), detail };
}

/** How many files a person changed in one moment, and how. */
export function filesText({ files: count, change = 'changed' }: Extract<Row, { kind: 'files' }>): string {
  const counts = {
    added: m.row_files_added,
    changed: m.row_files_changed,
    deleted: m.row_files_deleted,
    renamed: m.row_files_renamed,
  };
  return counts[change]({ count, shown: number(count) });
}

function stepText(step: NoteOf<'step'>['step']): NoteText {
  switch (step.type) {
    case 'poll':
      return {
        glyph: 'poll',
        tone: step.queue === 'steering' ? 'steering' : 'follow-up',
        title: step.queue === 'steering' ? m.row_poll_steering() : m.row_poll_follow_up(),
        detail: m.found({ count: step.count }),
      };
    case 'decide':
      return {
        glyph: 'go',
        title: step.loop === 'inner' ? m.row_go_on() : m.loop_station_outer_go_on(),
        detail: decisionText(step),
      };
    case 'batch':
      return { glyph: 'tool', title: m.row_batch(), detail: batchText(step) };
    case 'inject':
      return {
        glyph: 'note',
        title: m.row_inject(),
        detail: m.messages_count({ count: step.prepared + step.pending }),
      };
    case 'execute':
      return { glyph: 'tool', title: m.row_execute(), detail: step.toolName };
  }
}

function decisionText({ go, loop, values }: StepOf<'decide'>): string {
  if (!go) {
    // These leave both loops at once.
    if (values.stopReason === 'error') return m.decide_error();
    if (values.stopReason === 'aborted') return m.decide_aborted();
    if (values.finishTurn === 'end') return m.decide_end();
    return loop === 'outer' ? m.decide_stop() : m.decide_inner_no();
  }
  if (loop === 'outer')
    return values.followUps ? m.decide_follow_ups({ count: values.followUps }) : m.decide_continue();
  if (values.toolResults > 0 && !values.terminated) {
    const results = m.decide_results({ count: values.toolResults });
    return values.pending > 0 ? m.decide_both({ results, count: values.pending }) : results;
  }
  if (values.pending > 0) return m.decide_pending({ count: values.pending });
  return m.decide_yes();
}

function batchText(step: StepOf<'batch'>): string {
  if (step.mode === 'refused') return m.batch_refused({ count: step.calls });
  if (step.mode === 'sequential') return m.batch_sequential({ count: step.calls });
  return m.batch_parallel({ count: step.calls });
}

function hookText(note: NoteOf<'hook'>): NoteText {
  const { name, decision } = note;
  const error = decision?.error !== undefined;
  return { glyph: 'hook', title: name, detail: hookEffect(note), raw: true, error };
}

function httpText({ attempt, status, error, waitMs }: NoteOf<'http'>): NoteText {
  const what = error ?? (status === undefined ? '' : m.http_status({ status }));
  const wait = waitMs === undefined ? '' : ` ${m.http_wait({ duration: duration(waitMs) })}`;
  return {
    glyph: 'note',
    title: m.row_attempt({ attempt }),
    detail: what + wait,
    error: error !== undefined,
  };
}

function askText({ ask }: Pick<NoteRow, 'ask'>): NoteText {
  const states = {
    asked: m.ask_open,
    allowed: m.ask_allowed,
    denied: m.ask_denied,
    answered: m.ask_answered,
    interrupted: m.ask_interrupted,
  };
  return { glyph: 'hook', title: m.row_ask(), detail: ask ? states[ask.state]() : '' };
}

/** What a message row says when its run failed in it; a row is short, so it begins with what the model's side said. */
export function failureText({ errorCode, errorMessage = '', errorParams }: MessageRow): string {
  if (!errorCode) return errorMessage;
  const sentence = errorText({ code: errorCode, params: { detail: errorMessage, ...errorParams } });
  return errorMessage !== '' && sentence.endsWith(`: ${errorMessage}`) ? errorMessage : sentence;
}

type MessageRow = Extract<Row, { kind: 'message' }>;
