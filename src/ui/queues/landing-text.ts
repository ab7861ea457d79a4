/** Where a queued message will land, in words. */
import { m } from '../../i18n';
import type { Landing, LandingCode } from '../../trace/landing';

type Numbers = Readonly<Record<string, string | number>>;

const sentences: Record<LandingCode, (params: Numbers) => string> = {
  'landing.thisTurn': ({ turn = '' }) => m.landing_this_turn({ turn }),
  'landing.afterAnswer': ({ turn = '' }) => m.landing_after_answer({ turn }),
  'landing.afterBatch': ({ turn = '' }) => m.landing_after_batch({ turn }),
  'landing.nextPoll': ({ turn = '' }) => m.landing_next_poll({ turn }),
  'landing.beforeTurn': ({ turn = '' }) => m.landing_before_turn({ turn }),
  'landing.whenStops': ({ nth = 1 }) =>
    nth === 1 ? m.landing_when_stops() : m.landing_when_stops_again({ nth }),
  'landing.nextRun': ({ turn = '' }) => m.landing_next_run({ turn }),
  'landing.nextContinue': () => m.landing_next_continue(),
  'landing.nextRunStops': ({ nth = 1 }) =>
    nth === 1 ? m.landing_next_run_stops() : m.landing_next_run_stops_again({ nth }),
  'landing.stranded.aborted': () => m.stranded_aborted(),
  'landing.stranded.error': () => m.stranded_error(),
  'landing.stranded.finishTurn': () => m.stranded_finish_turn(),
  'landing.stranded.requestLimit': () => m.stranded_request_limit(),
  'landing.stranded.late': () => m.stranded_late(),
  'landing.stranded.interrupted': () => m.stranded_interrupted(),
};

/** One phrase; for what is stranded, why. */
export function landingText({ code, params = {} }: Pick<Landing, 'code' | 'params'>): string {
  return sentences[code](params);
}

/** Also what would become of a stranded one if somebody goes on. */
export function landingInFull({ then, ...landing }: Landing): string {
  const why = landingText(landing);
  return then ? m.stranded_then({ why, then: landingText(then) }) : why;
}
