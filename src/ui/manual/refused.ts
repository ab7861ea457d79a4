/** Where in a draft that is which the worker refused. */
import type { Problem } from '../../records/types';
import type { AnswerDraft } from './draft';

/** The index of the call that a problem is about; `undefined` when it is about something else of the answer. */
export function refusedCall(
  { params }: Problem,
  { thinking, text }: Pick<AnswerDraft, 'thinking' | 'text'>,
): number | undefined {
  const [, block] = /^blocks\[(\d+)\]/.exec(String(params?.['path'] ?? '')) ?? [];
  if (block === undefined) return undefined;
  const before = [thinking, text].filter((each) => each !== '').length;
  const call = Number(block) - before;
  return call < 0 ? undefined : call;
}
