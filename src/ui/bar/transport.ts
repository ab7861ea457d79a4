import type { Session } from '../session.svelte';

/** What the big button does now. */
export type TransportAction = 'play' | 'resume' | 'pause' | 'again' | 'none';

/** Why there is nothing to press. */
export type Unplayable = 'idle' | 'live' | 'settling' | 'noSession' | 'readOnly';

/** The reason, while the big button cannot be pressed. `isUsable`: a session is open, and the worker is there. */
export function unplayable(session: Session, isUsable: boolean): Unplayable | undefined {
  const action = transportAction(session);
  if (!isUsable) return 'noSession';
  if (session.readOnly) return 'readOnly';
  if (action !== 'none') return undefined;
  if (!session.clock?.virtual) return 'live';
  return session.trace.state === 'idle' ? 'idle' : 'settling';
}

/** Why there is no next step; a scenario that is over is not begun anew by a press too many. */
export function unsteppable(session: Session, isUsable: boolean): Unplayable | 'over' | undefined {
  return unplayable(session, isUsable) ?? (transportAction(session) === 'again' ? 'over' : undefined);
}

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
  if (clock.goesOn && clock.playing) return 'pause';
  if (clock.ready) return 'play';
  return info?.scenario !== undefined ? 'again' : 'none';
}
