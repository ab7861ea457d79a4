/** The places of the loop: the stations that a run passes, and the lines of the code that stands beside the map. */

/** In the order of the loop. */
export type Station =
  | 'start'
  | 'pollStart'
  | 'turnStart'
  | 'inject'
  | 'prepareRequest'
  | 'stream'
  | 'tools'
  | 'finishTurn'
  | 'pollSteering'
  | 'innerGoOn'
  | 'prepareNextTurn'
  | 'pollPrepare'
  | 'pollFollowUp'
  | 'outerGoOn'
  /** prepareNextTurn and the poll after it, on the way back from the outer decision. */
  | 'prepareNextPass'
  | 'pollNextPass'
  | 'stop';

/** The lines of the code, from the first to the last. */
export const loopLines = [
  'agentStart',
  'prompts',
  'pollStart',
  'outer',
  'inner',
  'notFirst',
  'prepareNextTurn',
  'pollPrepare',
  'turnStart',
  'inject',
  'prepareRequest',
  'stream',
  'tools',
  'more',
  'finishTurn',
  'turnEnd',
  'broken',
  'pollTurnEnd',
  'while',
  'pollFollowUp',
  'again',
  'continued',
  'stop',
] as const;
export type LoopLine = (typeof loopLines)[number];
