/** Leaving a session in which a model answers for real: the run would be aborted, so the person is asked first. */
import type { Session } from '../session.svelte';

export class Leaving {
  /** The person is being asked. */
  asked = $state.raw<{ title: string; answer: (leave: boolean) => void } | undefined>();

  /** Resolves to whether the open session may be left. One that a script plays may: it can be played again. */
  mayLeave({ info, trace, clock, phase, readOnly }: Session): Promise<boolean> {
    const isReal = clock?.virtual !== true || trace.requests.at(-1)?.model.api === 'manual';
    if (phase !== 'open' || readOnly || trace.state !== 'running' || !isReal) return Promise.resolve(true);
    this.asked?.answer(false);
    return new Promise((resolve) => {
      const answer = (leave: boolean) => {
        this.asked = undefined;
        resolve(leave);
      };
      this.asked = { title: info?.title ?? '', answer };
    });
  }
}
