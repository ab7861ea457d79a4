import type { SessionInfo } from '../../records/types';

/** What the page holds of the open session, which is newer than any list that was read. */
export interface OpenSession {
  info: SessionInfo | undefined;
  /** The last record's number; its time in ms since the session was created. */
  trace: { seq: number; at: number; state: 'idle' | 'running' | 'settling' };
}

/** The stored sessions with what is true of the open one now. */
export function asItIs(sessions: readonly SessionInfo[], { info, trace }: OpenSession): SessionInfo[] {
  return sessions.map((stored) => {
    // Before it is opened, or while another one opens, its trace may be behind what is stored.
    if (stored.id !== info?.id || trace.seq <= stored.seq) return stored;
    return { ...stored, seq: trace.seq, at: trace.at, state: trace.state === 'idle' ? 'idle' : 'running' };
  });
}
