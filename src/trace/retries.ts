/** How often a request was sent, and what is waited for before it is sent again. */
import type { NoteNode, Trace, TurnNode } from './types';

/** One attempt, as it ended. */
export interface HttpAttempt {
  /** Of its record. */
  seq: number;
  /** ms since the session was created; when it ended. */
  at: number;
  /** From 1. */
  attempt: number;
  status?: number;
  /** ms until the next one. */
  waitMs?: number;
  error?: string;
}

/** A request failed and will be sent again. */
export interface RetryWait {
  run: string;
  /** The attempt that comes, from 2. */
  attempt: number;
  /** Of the one that failed. */
  status?: number;
  /** ms that the whole wait takes. */
  waitMs: number;
  /** ms that are left of it; more than 0. */
  leftMs: number;
}

/** The attempts of a turn's request, in order. */
export function attemptsOf(trace: Trace, turn: TurnNode): HttpAttempt[] {
  return turn.children.flatMap((child) => {
    const note = child.kind === 'note' ? trace.notes[child.index] : undefined;
    return note ? (attemptOf(note) ?? []) : [];
  });
}

/**
 * The wait that goes on at `now` (ms since the session was created). `undefined` when none does: the next attempt began,
 * the answer came, or the run was aborted.
 */
export function retryWait(trace: Trace, now: number): RetryWait | undefined {
  const run = trace.state === 'running' ? trace.runs.at(-1) : undefined;
  if (run?.status !== 'running' || run.abortedAt !== undefined) return undefined;
  const last = lastAttempt(trace, openTurn(trace, run.children));
  if (last?.waitMs === undefined) return undefined;
  const { attempt, status, waitMs } = last;
  const leftMs = last.at + waitMs - now;
  if (leftMs <= 0) return undefined;
  return { run: run.id, attempt: attempt + 1, waitMs, leftMs, ...(status === undefined ? {} : { status }) };
}

function openTurn(trace: Trace, children: TurnNode['children']): TurnNode | undefined {
  const last = children.findLast(({ kind }) => kind === 'turn');
  const turn = last?.kind === 'turn' ? trace.turns.get(last.id) : undefined;
  return turn?.endSeq === undefined ? turn : undefined;
}

function lastAttempt(trace: Trace, turn: TurnNode | undefined): HttpAttempt | undefined {
  for (const child of turn?.children.toReversed() ?? []) {
    const note = child.kind === 'note' ? trace.notes[child.index] : undefined;
    const attempt = note && attemptOf(note);
    if (attempt) return attempt;
  }
  return undefined;
}

function attemptOf({ seq, at, note }: NoteNode): HttpAttempt | undefined {
  if (note.type !== 'http') return undefined;
  const { type: _, ...attempt } = note;
  return { seq, at, ...attempt };
}
