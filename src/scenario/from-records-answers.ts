/** Answers of a model as the turns of a script. */
import type { AssistantBody, RecordOf, TraceRecord } from '../records/types';
import { bareBlock, scriptedBlock, type StreamedPart } from './from-records-blocks';
import type { ReplayedUpdates } from './from-records-positions';
import { paceOf } from './from-records-pace';
import { replayedUpdates } from './from-records-updates';
import type { ScriptedBlock, ScriptedTurn } from './types';

/** What is said of an answer that an abort cut off, by whatever model. */
const ABORTED = 'Request was aborted';
const MAX_MS = 3_600_000;

interface Answer {
  message: string;
  /** ms; when it was asked for, and when its start was told. */
  requestAt: number;
  startAt?: number;
  /** A person wrote it: how long that took is no speed. */
  byPerson: boolean;
  updates: RecordOf<'message_update'>[];
  body?: AssistantBody;
  endAt?: number;
  /** Its run was aborted before it ended, or even before it began. */
  aborted: boolean;
  neverBegan: boolean;
}

export class AnswerReader {
  readonly #answers: Answer[] = [];
  readonly #byMessage = new Map<string, Answer>();
  #aborted = false;

  read(record: TraceRecord): void {
    switch (record.type) {
      case 'agent_start':
        this.#aborted = false;
        return;
      case 'request':
        return this.#request(record);
      case 'message_start': {
        const answer = this.#byMessage.get(record.message);
        if (!answer) return;
        answer.startAt = record.at;
        answer.neverBegan = answer.aborted;
        return;
      }
      case 'message_update':
        this.#byMessage.get(record.message)?.updates.push(record);
        return;
      case 'message_end': {
        const answer = this.#byMessage.get(record.message);
        if (answer) Object.assign(answer, { body: record.body, endAt: record.at });
        return;
      }
      case 'abort':
        this.#aborted = true;
        for (const answer of this.#answers) answer.aborted ||= !answer.body;
        return;
      case 'interrupted':
        for (const answer of this.#answers) answer.aborted ||= !answer.body;
    }
  }

  /** A request that only the replay makes, behind a batch that it aborts: nothing comes of it. */
  emptyAnswer(): void {
    const message = `empty ${this.#answers.length}`;
    this.#answers.push({
      message,
      requestAt: 0,
      byPerson: false,
      updates: [],
      aborted: true,
      neverBegan: true,
    });
  }

  /** One turn for each request, and what each streams when it is played. */
  turns(): { turns: ScriptedTurn[]; updates: Map<string, ReplayedUpdates> } {
    const updates = new Map<string, ReplayedUpdates>();
    const turns = this.#answers.map((answer, index) => {
      const turn = turnOf(answer, index + 1);
      updates.set(answer.message, replayedUpdates(turn, answer.updates));
      return turn;
    });
    return { turns, updates };
  }

  #request({ message, at, model }: RecordOf<'request'>): void {
    const answer: Answer = {
      message,
      requestAt: at,
      byPerson: model.api === 'manual',
      updates: [],
      aborted: this.#aborted,
      neverBegan: true,
    };
    this.#answers.push(answer);
    this.#byMessage.set(message, answer);
  }
}

function turnOf(answer: Answer, n: number): ScriptedTurn {
  const { body, updates } = answer;
  const parts = partsOf(updates);
  const content = body?.content ?? parts;
  const blocks = content.map((block, at): ScriptedBlock => {
    const id = `call_${n}_${at + 1}`;
    const part = parts[at];
    return 'parts' in block ? bareBlock(block, id) : scriptedBlock(block, part && part.parts.join(''), id);
  });
  const stalls = stallOf(answer);
  const noStart = stalls ? answer.neverBegan : blocks.length > 0 && updates.length === 0;
  return {
    blocks,
    ...(stalls ? { stalls, ...cutReading(body, stalls) } : endOf(body, blocks)),
    ...(noStart ? { noStart } : {}),
    ...firstToken(answer),
    ...(noStart ? {} : paceOf(blocks, updates, answer.endAt)),
  };
}

/** What streamed, block by block. */
function partsOf(updates: readonly RecordOf<'message_update'>[]): StreamedPart[] {
  const parts: StreamedPart[] = [];
  for (const { index, event, delta, toolCallId, toolName } of updates) {
    const type = event.startsWith('text') ? 'text' : event.startsWith('thinking') ? 'thinking' : 'toolCall';
    const part = (parts[index] ??= { type, parts: [] });
    if (delta !== undefined) part.parts.push(delta);
    if (toolCallId) part.id = toolCallId;
    if (toolName) part.name = toolName;
  }
  // Only damage leaves a hole.
  return Array.from(parts, (part) => part ?? { type: 'text', parts: [] });
}

/** An abort ended it: so the replay must not end before its own abort comes. */
function stallOf({ body, aborted, updates }: Answer): ScriptedTurn['stalls'] {
  if (!aborted) return undefined;
  if (body && (body.stopReason !== 'aborted' || body.errorMessage !== ABORTED)) return undefined;
  // What came whole had ended before the abort.
  if (body && body.content.length > 0 && updates.length === 0) return undefined;
  const last = updates.at(-1);
  return last && !last.event.endsWith('_end') ? 'inBlock' : 'afterBlocks';
}

/** Calls that ended in a stream that was cut are read as such: the turn says so by a reason that nobody sees. */
function cutReading(
  body: AssistantBody | undefined,
  stalls: 'inBlock' | 'afterBlocks',
): Pick<ScriptedTurn, 'stopReason'> {
  const ended = body?.content.slice(0, stalls === 'inBlock' ? -1 : undefined);
  const cut = ended?.some(
    (block) => 'argumentsError' in block && block.argumentsError?.startsWith('The answer was cut off'),
  );
  return cut ? { stopReason: 'length' } : {};
}

function endOf(
  body: AssistantBody | undefined,
  blocks: readonly ScriptedBlock[],
): Pick<ScriptedTurn, 'stopReason' | 'errorMessage'> {
  if (!body) return {};
  const { stopReason, errorMessage } = body;
  const usual = blocks.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop';
  return {
    ...(stopReason === usual || stopReason === 'pending' ? {} : { stopReason }),
    ...(errorMessage === undefined ? {} : { errorMessage }),
  };
}

function firstToken({
  requestAt,
  startAt,
  byPerson,
  updates,
  neverBegan,
}: Answer): Pick<ScriptedTurn, 'firstTokenMs'> {
  const at = updates[0]?.at ?? startAt;
  if (at === undefined || neverBegan) return {};
  const firstTokenMs = Math.min(MAX_MS, Math.max(0, Math.round(at - requestAt)));
  // Virtual time stands still while a person writes. Real time does not, and says nothing of a speed.
  if (byPerson && firstTokenMs > 0) return {};
  return firstTokenMs === 350 ? {} : { firstTokenMs };
}
