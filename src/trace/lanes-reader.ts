/** Reads what is new in a trace since it was last asked, each list from where it stopped. */
import type { Moment } from './lanes-clock';
import { staysOf, type LaneNode } from './lanes-nodes';
import type { CallNode, MessageNode, NoteNode, QueueItem, Trace, TurnNode } from './types';

export interface Fresh {
  /** Of each lane in order of their records, but for the queues'. */
  nodes: LaneNode[];
  /** Of what is no node. */
  moments: Moment[];
  /** Where the first run or queued message among them began. */
  start: Moment | undefined;
}

type Answer = Extract<LaneNode, { kind: 'model' }>;

export class LaneReader {
  readonly #trace: Trace;
  readonly #turns: () => TurnNode[];
  readonly #calls: () => CallNode[];
  readonly #messages: () => MessageNode[];
  readonly #items: () => QueueItem[];
  #runs = 0;
  #notes = 0;
  #requests = 0;
  /** Requests whose answers have not begun, by the answers' ids. */
  readonly #asked = new Map<string, Answer>();

  constructor(trace: Trace) {
    this.#trace = trace;
    this.#turns = newIn(trace.turns);
    this.#calls = newIn(trace.calls);
    this.#messages = newIn(trace.messages);
    this.#items = newIn(trace.queueItems);
  }

  read(): Fresh {
    const { runs, notes } = this.#trace;
    const fresh: Fresh = { nodes: [], moments: [], start: undefined };
    const { nodes, moments } = fresh;
    const firstRun = runs[this.#runs];
    for (; this.#runs < runs.length; this.#runs++) nodes.push({ kind: 'run', run: runs[this.#runs]! });
    for (const turn of this.#turns()) nodes.push({ kind: 'turn', turn });
    for (const answer of this.#answers(moments)) nodes.push(answer);
    for (const call of this.#calls()) nodes.push({ kind: 'tool', call });
    const items = this.#items();
    for (const item of items) nodes.push(...staysOf(item));
    for (; this.#notes < notes.length; this.#notes++) addNote(fresh, notes[this.#notes]!);
    fresh.start = earlier(firstRun, items[0]);
    return fresh;
  }

  /** New answers of the model; also gives requests of before the answers that have begun, and tells the moments of all messages. */
  #answers(moments: Moment[]): Answer[] {
    const answers: Answer[] = [];
    for (const request of this.#trace.requests.slice(this.#requests)) {
      const answer: Answer = { kind: 'model', turn: request.turn, request };
      this.#asked.set(request.message, answer);
      answers.push(answer);
    }
    this.#requests += answers.length;
    for (const message of this.#messages()) {
      moments.push(message);
      const asked = this.#asked.get(message.id);
      if (asked) {
        asked.message = message;
        this.#asked.delete(message.id);
      } else if (message.role === 'assistant' && message.turn !== undefined) {
        answers.push({ kind: 'model', turn: message.turn, message });
      }
    }
    return answers.sort((a, b) => seqOf(a) - seqOf(b));
  }
}

/** Each call returns the values that were added since. Nothing ever leaves these maps, and none is walked twice. */
function newIn<T>(map: ReadonlyMap<string, T>): () => T[] {
  // Goes on where it stopped, as long as it is never asked for more than there is.
  const values = map.values();
  let read = 0;
  return () => {
    const fresh: T[] = [];
    for (; read < map.size; read++) {
      const { value } = values.next();
      if (value !== undefined) fresh.push(value);
    }
    return fresh;
  };
}

function addNote({ nodes, moments }: Fresh, note: NoteNode): void {
  moments.push(note);
  const { note: body } = note;
  if (body.type === 'hook' || body.type === 'pause') nodes.push({ kind: body.type, note });
  else if (body.type === 'step' && body.step.type === 'poll') nodes.push({ kind: 'poll', note });
}

function earlier(a: Moment | undefined, b: Moment | undefined): Moment | undefined {
  const first = !a || (b && b.seq < a.seq) ? b : a;
  return first && { seq: first.seq, at: first.at };
}

function seqOf({ request, message }: Answer): number {
  return request?.seq ?? message?.seq ?? 0;
}
