/** Where on its way round the loop is, by the last records. */
import type { TraceRecord } from '../../records/types';

export type Station =
  | 'inject'
  | 'request'
  | 'stream'
  | 'tools'
  | 'finishTurn'
  | 'pollSteering'
  | 'goOn'
  | 'pollFollowUp'
  | 'stopOrPass';

/** In the order in which the loop passes them; the last two are the outer loop's. */
export const stations: readonly Station[] = [
  'inject',
  'request',
  'stream',
  'tools',
  'finishTurn',
  'pollSteering',
  'goOn',
  'pollFollowUp',
  'stopOrPass',
];

/** The station of the last record that has one; `undefined` when no run is open. */
export function stationOf(log: readonly TraceRecord[]): Station | undefined {
  for (let index = log.length - 1; index >= 0; index--) {
    const record = log[index];
    if (!record || record.type === 'agent_end' || record.type === 'settled' || record.type === 'interrupted')
      return undefined;
    const station = stationOfRecord(record);
    if (station) return station;
  }
  return undefined;
}

function stationOfRecord(record: TraceRecord): Station | undefined {
  switch (record.type) {
    case 'agent_start':
    case 'turn_start':
      return 'inject';
    case 'message_start':
      if (record.role === 'assistant') return 'stream';
      return record.role === 'toolResult' ? 'tools' : 'inject';
    case 'message_update':
      return 'stream';
    case 'request':
      return 'request';
    case 'tool_execution_start':
    case 'tool_execution_update':
    case 'tool_execution_end':
      return 'tools';
    case 'hook':
      return record.name === 'finishTurn' ? 'finishTurn' : undefined;
    case 'turn_end':
      return 'finishTurn';
    case 'step':
      return stationOfStep(record.step);
    default:
      return undefined;
  }
}

function stationOfStep(step: Extract<TraceRecord, { type: 'step' }>['step']): Station {
  switch (step.type) {
    case 'poll':
      return step.queue === 'steering' ? 'pollSteering' : 'pollFollowUp';
    case 'inject':
      return 'inject';
    case 'batch':
    case 'execute':
      return 'tools';
    case 'decide':
      return step.loop === 'inner' ? 'goOn' : 'stopOrPass';
  }
}
