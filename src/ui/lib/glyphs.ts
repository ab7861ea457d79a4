/** What has a mark of its own. */
export type GlyphKind =
  | 'user'
  | 'assistant'
  | 'system'
  | 'thinking'
  | 'text'
  | 'tool'
  | 'steering'
  | 'follow-up'
  | 'hook'
  | 'poll'
  | 'go'
  | 'abort'
  | 'pause'
  | 'error'
  | 'note'
  | 'run';
