import type { RowBody, RowSpan } from './rows';

/** What is known of a row without reading what it shows; a page can tell its height from it. */
export interface RowHead {
  kind: RowBody['kind'];
  /** A message that joined in the middle of things: from a queue, or from a hook. */
  injected: boolean;
}

/** A row before it is known whether it is visible. `children` is absent when there are none. */
export interface Branch extends RowHead {
  readonly key: string;
  readonly body: RowBody;
  readonly span: RowSpan;
  readonly children?: (() => Branch[]) | undefined;
}

/** A branch whose body is made when somebody looks at it: of 50,000 rows few ever are. */
export class LazyBranch implements Branch {
  private made: RowBody | undefined;

  constructor(
    readonly key: string,
    readonly kind: RowBody['kind'],
    readonly span: RowSpan,
    private readonly make: () => RowBody,
    readonly children?: () => Branch[],
    readonly injected = false,
  ) {}

  get body(): RowBody {
    return (this.made ??= this.make());
  }

  /** The same with other rows below it. */
  with(children: (() => Branch[]) | undefined): Branch {
    return new LazyBranch(this.key, this.kind, this.span, () => this.body, children, this.injected);
  }
}

/** Span of a node; its duration once it has ended. */
export function spanOf(node: { seq: number; endSeq?: number; at: number; endAt?: number }): RowSpan {
  const span: RowSpan = { seq: node.seq, at: node.at };
  if (node.endSeq !== undefined) span.endSeq = node.endSeq;
  if (node.endAt !== undefined) span.durationMs = node.endAt - node.at;
  return span;
}
