/** The loop as code of our own, one line for each place where it can stand. It is code: the same in all languages. */
import type { LoopLine, Station } from '../../trace/loop-stations';

type Kind = 'keyword' | 'steering' | 'follow-up';
export interface CodeLine {
  line: LoopLine;
  /** Levels of indentation. */
  indent: number;
  parts: [text: string, kind?: Kind][];
}

export const codeLines: readonly CodeLine[] = [
  { line: 'agentStart', indent: 0, parts: [['agent_start']] },
  { line: 'prompts', indent: 0, parts: [['turn_start; inject(prompts)']] },
  { line: 'pollStart', indent: 0, parts: [['pending = '], ['poll(steering)', 'steering']] },
  { line: 'outer', indent: 0, parts: [['outer: forever', 'keyword']] },
  { line: 'inner', indent: 1, parts: [['inner: do', 'keyword']] },
  { line: 'notFirst', indent: 2, parts: [['if', 'keyword'], [' not the first turn']] },
  { line: 'prepareNextTurn', indent: 3, parts: [['prepareNextTurn()']] },
  { line: 'pollPrepare', indent: 3, parts: [['pending ||= '], ['poll(steering)', 'steering']] },
  { line: 'turnStart', indent: 3, parts: [['turn_start']] },
  { line: 'inject', indent: 2, parts: [['inject(pending)']] },
  { line: 'prepareRequest', indent: 2, parts: [['prepareRequest()']] },
  { line: 'stream', indent: 2, parts: [['reply = stream(context)']] },
  { line: 'tools', indent: 2, parts: [['results = runTools(reply)']] },
  { line: 'more', indent: 2, parts: [['more = results && !terminated']] },
  { line: 'finishTurn', indent: 2, parts: [['decision = finishTurn()']] },
  { line: 'turnEnd', indent: 2, parts: [['turn_end']] },
  {
    line: 'broken',
    indent: 2,
    parts: [['if', 'keyword'], [' failed or ended: '], ['stop', 'keyword']],
  },
  { line: 'pollTurnEnd', indent: 2, parts: [['pending = '], ['poll(steering)', 'steering']] },
  { line: 'while', indent: 1, parts: [['while', 'keyword'], [' more or pending']] },
  { line: 'pollFollowUp', indent: 1, parts: [['pending = '], ['poll(followUp)', 'follow-up']] },
  {
    line: 'again',
    indent: 1,
    parts: [['if', 'keyword'], [' pending: '], ['next pass', 'keyword']],
  },
  {
    line: 'continued',
    indent: 1,
    parts: [['if', 'keyword'], [' continued: '], ['next pass', 'keyword']],
  },
  { line: 'stop', indent: 1, parts: [['stop', 'keyword'], [': agent_end']] },
];

const stationOfLine: Record<LoopLine, Station | undefined> = {
  agentStart: 'start',
  prompts: 'start',
  pollStart: 'pollStart',
  outer: undefined,
  inner: undefined,
  notFirst: undefined,
  prepareNextTurn: 'prepareNextTurn',
  pollPrepare: 'pollPrepare',
  turnStart: 'turnStart',
  inject: 'inject',
  prepareRequest: 'prepareRequest',
  stream: 'stream',
  tools: 'tools',
  more: 'tools',
  finishTurn: 'finishTurn',
  turnEnd: 'finishTurn',
  broken: 'finishTurn',
  pollTurnEnd: 'pollSteering',
  while: 'innerGoOn',
  pollFollowUp: 'pollFollowUp',
  again: 'outerGoOn',
  continued: 'outerGoOn',
  stop: 'stop',
};

/** The station that a line belongs to; two of the lines are reached by two ways. */
export function stationsOf(line: LoopLine): Station[] {
  const station = stationOfLine[line];
  if (station === 'prepareNextTurn') return [station, 'prepareNextPass'];
  if (station === 'pollPrepare') return [station, 'pollNextPass'];
  return station ? [station] : [];
}
