/** Steps, hooks, requests, attempts, settings, and what people were asked. */
import { applySettings } from '../records/settings';
import type { RecordOf } from '../records/types';
import { closePause } from './fold-run';
import { addCallNote, addNote, currentPlace, keepNote } from './nodes';
import type { AskNode, RequestNode, Trace } from './types';

export function step(trace: Trace, record: RecordOf<'step'>): void {
  const { step: recorded, call: callId } = record;
  if (recorded.type === 'decide') {
    const run = trace.runsById.get(record.run);
    if (run) run.lastDecision = recorded;
  }
  if (recorded.type !== 'execute') {
    addNote(trace, record, { type: 'step', step: recorded }, record);
    return;
  }
  const call = callId === undefined ? undefined : trace.calls.get(callId);
  if (call) {
    call.executeAt = record.at;
    if (recorded.args) call.args = recorded.args;
  }
  keepNote(trace, record, { type: 'step', step: recorded }, record);
}

export function hook(trace: Trace, record: RecordOf<'hook'>): void {
  const { name, durationMs, decision, rules, counted = [] } = record;
  for (const rule of rules ?? []) trace.ruleActs.set(rule, (trace.ruleActs.get(rule) ?? 0) + 1);
  for (const rule of [...(rules ?? []), ...counted])
    trace.ruleCounts.set(rule, (trace.ruleCounts.get(rule) ?? 0) + 1);
  const note = {
    type: 'hook' as const,
    name,
    durationMs,
    ...(decision ? { decision } : {}),
    ...(rules ? { rules } : {}),
  };
  addCallNote(trace, record, note, record);
}

export function request(trace: Trace, record: RecordOf<'request'>): void {
  const { turn, message, model, thinkingLevel, skip, keep, add, seq, at } = record;
  const index = trace.requests.length;
  const node: RequestNode = { seq, at, index, turn, message, model, thinkingLevel, skip, keep, add };
  trace.requests.push(node);
  const parent = trace.turns.get(turn);
  if (parent) parent.request = node;
  const run = trace.runsById.get(record.run);
  if (run) run.requests++;
}

export function http(trace: Trace, record: RecordOf<'http'>): void {
  const { attempt, status, waitMs, error } = record;
  const note = {
    type: 'http' as const,
    attempt,
    ...(status === undefined ? {} : { status }),
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(error === undefined ? {} : { error }),
  };
  addNote(trace, record, note, record);
}

export function abort(trace: Trace, record: RecordOf<'abort'>): void {
  const run = trace.runsById.get(record.run);
  if (run?.status === 'running') run.abortedAt ??= record.at;
  addNote(trace, record, { type: 'abort' }, currentPlace(trace, run));
}

export function config(trace: Trace, record: RecordOf<'config'>): void {
  const { rules: rulesBefore } = trace.config;
  const { set } = record;
  applySettings(trace.config, set);
  const note = { type: 'config' as const, set, ...(set.rules && rulesBefore ? { rulesBefore } : {}) };
  addNote(trace, record, note, currentPlace(trace));
}

export function pause(trace: Trace, record: RecordOf<'pause'>): void {
  if (trace.paused) return;
  trace.paused = true;
  // Each step of somebody who goes step by step ends so: as notes they would hide what there is to see.
  if (record.stepped) return;
  addNote(trace, record, { type: 'pause' }, currentPlace(trace));
}

export function resume(trace: Trace, record: RecordOf<'resume'>): void {
  closePause(trace, record);
}

export function ask(trace: Trace, record: RecordOf<'permission'> | RecordOf<'answer'>): void {
  if (record.state === 'asked') {
    const { ask: id, type: kind, call, subject, at, seq } = record;
    const node: AskNode = { id, kind, subject, at, seq, state: 'asked' };
    if (call !== undefined) node.call = call;
    trace.asks.set(id, node);
    addCallNote(trace, record, { type: kind, ask: id }, { ...currentPlace(trace), call });
    return;
  }
  const asked = trace.asks.get(record.ask);
  if (asked?.state !== 'asked') return;
  asked.state = record.state;
  asked.endAt = record.at;
  asked.by = record.by;
  if (record.state === 'answered') asked.text = record.text;
  else if (record.always) asked.always = true;
}
