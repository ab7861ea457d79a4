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
  // Also of a run that was typed: the scenario waits until it is over.
  if (trace.state === 'running') return 'pause';
  if (trace.state !== 'idle') return 'none';
  if (clock.ready) return 'play';
  return info?.scenario !== undefined ? 'again' : 'none';
}
