export { parseRecord, parseRecords, readRows, RecordError, type Place } from './parse';
export { applySettings } from './settings';
export type * from './types';
