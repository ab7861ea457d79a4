import type { Session } from '../session.svelte';

/** What the big button does now. */
export type TransportAction = 'play' | 'resume' | 'pause' | 'again' | 'none';

/** Real time can be neither played nor held: a session with an endpoint has no such button to press. */
export function transportAction(session: Session): TransportAction {
  const { clock, phase, trace, version, info } = session;
  // What the trace says follows its version.
  void version;
  if (phase !== 'open' || !clock?.virtual) return 'none';
  if (trace.paused) return 'resume';
  if (clock.ready) return 'play';
  if (trace.state === 'running') return 'pause';
  return trace.state === 'idle' && info?.scenario !== undefined ? 'again' : 'none';
}
