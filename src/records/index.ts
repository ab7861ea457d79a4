export { parseRecord, parseRecords, readRows, RecordError, type Place } from './parse';
export type * from './types';
