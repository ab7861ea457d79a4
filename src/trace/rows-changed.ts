/** What records change of what the outline shows, so that it need not look at all that is there. */
import type { TraceRecord } from '../records/types';
import type { NoteNode, Trace } from './types';

/** Reads each record of a session once, after it was folded. */
export class ChangedRows {
  /** Ids of what has not ended: whatever closes a run may end it. */
  private readonly open;
  private pause: NoteNode | undefined;
  private notes = 0;

  /** Starts with everything that was folded so far. */
  constructor(private readonly trace: Trace) {
    this.open = {
      runs: new Set(trace.runs.filter(({ settled }) => !settled).map(({ id }) => id)),
      turns: openOf(trace.turns),
      messages: openOf(trace.messages),
      calls: openOf(trace.calls),
      asks: openOf(trace.asks),
    };
    this.pause = trace.notes.findLast(({ note }) => note.type === 'pause');
    this.notes = trace.notes.length;
  }

  /**
   * Keys of the runs, of the turns, and of what stands beside turns whose rows may be others than before. What is new
   * beside turns is not among them; its run is.
   */
  read(records: Iterable<TraceRecord>): Set<string> {
    const changed = new Set<string>();
    for (const record of records) this.readOne(record, changed);
    const { notes } = this.trace;
    for (; this.notes < notes.length; this.notes++) {
      const note = notes[this.notes];
      if (!note) continue;
      this.addNote(changed, note);
      if (note.note.type === 'pause') this.pause = note;
    }
    return changed;
  }

  private readOne(record: TraceRecord, changed: Set<string>): unknown {
    switch (record.type) {
      case 'message_update':
        return this.addMessage(changed, record.message);
      case 'message_start':
        this.open.messages.add(record.message);
        if (record.call !== undefined) this.addCall(changed, record.call);
        return this.addMessage(changed, record.message);
      case 'message_end':
        this.open.messages.delete(record.message);
        return this.addMessage(changed, record.message);
      case 'tool_execution_start':
      case 'nested_call_start':
        this.open.calls.add(record.call);
        return this.addCall(changed, record.call);
      case 'tool_execution_end':
      case 'nested_call_end':
        this.open.calls.delete(record.call);
        return this.addCall(changed, record.call);
      case 'tool_execution_update':
        return this.addCall(changed, record.call);
      case 'request':
        return this.addTurn(changed, record.turn);
      case 'turn_start':
        this.open.turns.add(record.turn);
        // The one before it is the last of its run no more.
        this.addTurn(changed, this.turnBefore(record.turn));
        return this.addTurn(changed, record.turn);
      case 'turn_end':
        this.open.turns.delete(record.turn);
        return this.addTurn(changed, record.turn);
      default:
        return this.readRare(record, changed);
    }
  }

  private readRare(record: TraceRecord, changed: Set<string>): void {
    switch (record.type) {
      case 'agent_start':
        this.open.runs.add(record.run);
        return this.addRun(changed, record.run, true);
      case 'settled':
        this.addRun(changed, record.run, true);
        this.open.runs.delete(record.run);
        return;
      case 'agent_end':
        return this.closeAll(changed);
      case 'interrupted':
        this.addPause(changed);
        return this.closeAll(changed);
      case 'resume':
        return this.addPause(changed);
      case 'permission':
      case 'answer':
        if (record.state === 'asked') this.open.asks.add(record.ask);
        return this.addAsk(changed, record.ask);
      case 'rewind':
        for (const id of record.drop) this.addMessage(changed, id);
        return;
      case 'queue':
        for (const id of record.remove ?? []) this.addMessage(changed, id);
        for (const { id } of record.add ?? []) this.addMessage(changed, id);
    }
  }

  /** A run's end closes what is open, and tells how its last turn ended. */
  private closeAll(changed: Set<string>): void {
    const { runsById, turns, messages, calls, asks } = this.trace;
    const { open } = this;
    for (const id of open.runs) this.addRun(changed, id, true);
    for (const id of open.turns) this.addTurn(changed, id);
    for (const id of open.messages) this.addMessage(changed, id);
    for (const id of open.calls) this.addCall(changed, id);
    for (const id of open.asks) this.addAsk(changed, id);
    for (const id of open.runs) if (runsById.get(id)?.settled) open.runs.delete(id);
    forgetEnded(open.turns, turns);
    forgetEnded(open.messages, messages);
    forgetEnded(open.calls, calls);
    forgetEnded(open.asks, asks);
  }

  private turnBefore(id: string): string | undefined {
    const turn = this.trace.turns.get(id);
    const children = (turn && this.trace.runsById.get(turn.run)?.children) ?? [];
    const at = children.findLastIndex((child) => child.kind === 'turn' && child.id === id);
    for (let index = at - 1; index >= 0; index--) {
      const child = children[index];
      if (child?.kind === 'turn') return child.id;
    }
    return undefined;
  }

  private addTurn(changed: Set<string>, id: string | undefined): boolean {
    const turn = id === undefined ? undefined : this.trace.turns.get(id);
    if (!turn) return false;
    changed.add(`turn:${turn.id}`);
    changed.add(`run:${turn.run}`);
    return true;
  }

  private addMessage(changed: Set<string>, id: string): void {
    const message = this.trace.messages.get(id);
    if (!message) return;
    if (message.call !== undefined) this.addCall(changed, message.call);
    const inTurn = this.addTurn(changed, message.turn);
    // A prompt stands beside its turn; what is of no turn may be of the run that goes on.
    if (!inTurn || message.origin === 'prompt') changed.add(`message:${id}`);
    if (!inTurn) for (const run of this.open.runs) this.addRun(changed, run);
  }

  private addCall(changed: Set<string>, id: string): void {
    let call = this.trace.calls.get(id);
    while (call?.parent !== undefined) call = this.trace.calls.get(call.parent);
    if (call && !this.addTurn(changed, call.turn)) changed.add(`call:${call.id}`);
    // The block that announced it gives way to it.
    this.addTurn(changed, call && this.trace.messages.get(call.message)?.turn);
  }

  private addAsk(changed: Set<string>, id: string): void {
    const ask = this.trace.asks.get(id);
    if (!ask) return;
    if (ask.call !== undefined && this.trace.calls.has(ask.call)) this.addCall(changed, ask.call);
    // A question of no call is a note of its own, wherever the loop was.
    else
      this.addNote(
        changed,
        this.trace.notes.findLast(({ seq }) => seq === ask.seq),
      );
    if (ask.endAt !== undefined) this.open.asks.delete(id);
  }

  private addPause(changed: Set<string>): void {
    this.addNote(changed, this.pause);
  }

  private addNote(changed: Set<string>, note: NoteNode | undefined): void {
    if (!note) return;
    if (note.call !== undefined) this.addCall(changed, note.call);
    if (this.addTurn(changed, note.turn)) return;
    changed.add(`note:${note.seq}`);
    if (note.run !== undefined) changed.add(`run:${note.run}`);
  }

  private addRun(changed: Set<string>, id: string, withLastTurn = false): void {
    const run = this.trace.runsById.get(id);
    if (!run) return;
    changed.add(`run:${id}`);
    const last = withLastTurn ? run.children.findLast((child) => child.kind === 'turn') : undefined;
    if (last) changed.add(`turn:${last.id}`);
  }
}

interface Ending {
  id: string;
  endAt?: number;
}

function openOf(nodes: ReadonlyMap<string, Ending>): Set<string> {
  const open = new Set<string>();
  for (const { id, endAt } of nodes.values()) if (endAt === undefined) open.add(id);
  return open;
}

function forgetEnded(open: Set<string>, nodes: ReadonlyMap<string, Ending>): void {
  for (const id of open) if (nodes.get(id)?.endAt !== undefined) open.delete(id);
}
