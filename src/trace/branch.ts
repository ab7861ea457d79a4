import type { RowBody, RowSpan } from './rows';

/** A row before it is known whether it is visible. `children` is absent when there are none. */
export interface Branch {
  key: string;
  body: RowBody;
  span: RowSpan;
  children?: () => Branch[];
}

/** Span of a node; its duration once it has ended. */
export function spanOf(node: { seq: number; endSeq?: number; at: number; endAt?: number }): RowSpan {
  const span: RowSpan = { seq: node.seq, at: node.at };
  if (node.endSeq !== undefined) span.endSeq = node.endSeq;
  if (node.endAt !== undefined) span.durationMs = node.endAt - node.at;
  return span;
}
