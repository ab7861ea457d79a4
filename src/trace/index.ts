/** What the page reads of a trace: the fold, and the views that are functions of it. */
export { continueKind, canRetry, isCutOff } from './continue';
export type { ContinueKind } from './continue';
export { resultSummary, toolChanges, toolsDeclared } from './excerpts';
export { exportJsonl } from './export-jsonl';
export { emptyTrace, fold, foldInto } from './fold';
export { contentBytes, isSameContent } from './file-content';
export { filesAt } from './files';
export type { FileBase, FilesAt, FileState, FileStatus } from './files';
export { fileRows } from './files-tree';
export type { FileRow } from './files-tree';
export { blockText, callArguments, isWholeAssistant, messageOf, resultOf } from './messages';
export { waitingRequest } from './waiting-request';
export type { RowHead } from './branch';
export type { HideableKind, OutlineOptions, Row, RowBody } from './rows';
export { OutlineRows } from './rows-live';
export type { Head } from './rows-live';
export { pathTo } from './rows-path';
export type {
  AskNode,
  CallNode,
  MessageNode,
  NodeRef,
  NoteNode,
  QueueItem,
  RequestNode,
  RunNode,
  Trace,
  TurnNode,
} from './types';
export { why, whyDecided } from './why';
export type { Why } from './why';
