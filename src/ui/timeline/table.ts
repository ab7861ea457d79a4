/** What lies in a window of the axis, as rows of a table. */
import { LANE_KINDS, type Lanes } from '../../trace/lanes';
import { barsInView, type AxisView } from '../../trace/lanes-bars';
import type { LaneRow } from '../../trace/lanes-row';
import type { Selection } from '../view.svelte';
import { factsOf, type SpanFacts } from './describe';
import { selectionOf } from './selection';

export interface TableRow {
  key: string;
  facts: SpanFacts;
  ref: Selection;
}

/** The bars in view, lane by lane, at most `most` of them; and how many more there are. `now`: session time in ms. */
export function tableRows(
  lanes: Lanes,
  view: AxisView,
  now: number,
  most = 200,
): { rows: TableRow[]; more: number } {
  const rows: TableRow[] = [];
  let more = 0;
  for (const [lane, row] of allRows(lanes).entries()) {
    const { first, end } = barsInView(row, view);
    const shown = Math.min(end, first + Math.max(0, most - rows.length));
    more += end - shown;
    for (let index = first; index < shown; index++) {
      const node = lanes.nodeAt(row, index);
      if (node)
        rows.push({ key: `${lane} ${index}`, facts: factsOf(node, lanes, now), ref: selectionOf(node) });
    }
  }
  return { rows, more };
}

function allRows({ rows, pauses, polls }: Lanes): LaneRow[] {
  return [
    ...LANE_KINDS.flatMap((kind) => {
      return kind === 'steering' || kind === 'followUp' ? [...rows[kind], polls[kind]] : rows[kind];
    }),
    pauses,
  ];
}
