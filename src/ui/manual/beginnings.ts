/** What an answer can be filled in from: those that were given before, and cases that are worth showing. */
import { blockText, isWholeAssistant, messageOf } from '../../trace';
import type { MessageNode, Trace } from '../../trace';
import { callDraft, emptyDraft, stopReasons, usualStopReason } from './draft';
import type { AnswerDraft, Pace } from './draft';
import type { ToolDeclaration } from './seen';

const mostEarlier = 12;

export interface EarlierAnswer {
  /** The message. */
  id: string;
  /** From 1, as the outline counts. */
  run: number;
  turn: number;
  /** Its beginning, or the tools that it calls. */
  excerpt: string;
}

/** The answers of this session, the newest first: of whatever model, and no more than a menu can show. */
export function earlierAnswers(trace: Trace): EarlierAnswer[] {
  const answers = [...trace.messages.values()].filter(
    ({ role, status, turn, origin }) =>
      role === 'assistant' && status !== 'streaming' && turn !== undefined && origin === 'model',
  );
  return answers
    .slice(-mostEarlier)
    .reverse()
    .flatMap((node) => {
      const turn = trace.turns.get(node.turn ?? '');
      const run = turn && trace.runsById.get(turn.run);
      return run ? [{ id: node.id, run: run.n, turn: turn.n, excerpt: excerptOf(trace, node) }] : [];
    });
}

/** A draft that says again what a message of the trace said; undefined when nothing is known of it. */
export function draftOfAnswer(
  trace: Trace,
  id: string,
  tools: readonly ToolDeclaration[],
  pace: Pace,
): AnswerDraft | undefined {
  const node = trace.messages.get(id);
  const message = messageOf(trace, id);
  if (!node || !message || !isWholeAssistant(message)) return undefined;
  const draft = emptyDraft(pace);
  for (const [index, block] of message.content.entries()) {
    if (block.type === 'text') draft.text = joined(draft.text, block.text);
    else if (block.type === 'thinking') draft.thinking = joined(draft.thinking, block.thinking);
    else {
      const sent = node.blocks[index];
      const raw = sent ? blockText(sent) : JSON.stringify(block.arguments);
      draft.calls.push(callDraft(draft, { name: block.name, raw }, tools));
    }
  }
  const reason = stopReasons.find((each) => each === message.stopReason);
  if (reason !== undefined && reason !== usualStopReason(draft)) draft.stopReason = reason;
  return { ...draft, errorMessage: message.errorMessage ?? '' };
}

export const templateNames = ['twoCalls', 'unknownTool', 'brokenArguments', 'cutOff', 'fails'] as const;
export type TemplateName = (typeof templateNames)[number];

/** A draft of a case. What the model says in it is English, like all that models read and write here. */
export function draftOfTemplate(
  name: TemplateName,
  tools: readonly ToolDeclaration[],
  pace: Pace,
): AnswerDraft {
  const draft = emptyDraft(pace);
  const call = (tool: string, raw?: string) =>
    draft.calls.push(callDraft(draft, { name: tool, ...(raw === undefined ? {} : { raw }) }, tools));
  const known = tools.map((tool) => tool.name);
  const some = known.includes('read') ? 'read' : (known[0] ?? 'read');
  switch (name) {
    case 'twoCalls':
      draft.text = 'I do both at once.';
      call(some);
      call(known.find((each) => each === 'ls') ?? known.find((each) => each !== some) ?? some);
      return draft;
    case 'unknownTool':
      call('teleport', '{\n  "to": "the answer"\n}');
      return draft;
    case 'brokenArguments':
      call(some, '{"path": "/project/no');
      return draft;
    case 'cutOff':
      call(some, '{"path": "/project/notes.txt"}');
      call(some, '{"path": "/proj');
      return { ...draft, text: 'I read the notes, and then', stopReason: 'length' };
    case 'fails':
      return { ...draft, stopReason: 'error', errorMessage: 'The provider is overloaded.' };
  }
}

function excerptOf(trace: Trace, node: MessageNode): string {
  const message = messageOf(trace, node.id);
  if (!message || !isWholeAssistant(message)) return '';
  const said = message.content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const called = message.content.flatMap((block) => (block.type === 'toolCall' ? [block.name] : []));
  const text = called.length > 0 ? called.join(', ') : said.join(' ');
  return (text || (message.errorMessage ?? message.stopReason)).slice(0, 120).replace(/\s+/g, ' ').trim();
}

function joined(before: string, after: string): string {
  return before === '' ? after : `${before}\n\n${after}`;
}
