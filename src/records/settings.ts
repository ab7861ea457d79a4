import type { SessionConfig } from './types';

/**
 * Makes `config` what it is after `set`. A model comes with all that is known of it: prices of the one before are gone. A
 * limit of 0 takes the limit away.
 */
export function applySettings(config: SessionConfig, set: SessionConfig): void {
  if (set.model) {
    delete config.prices;
    delete config.images;
  }
  Object.assign(config, set);
  if (set.requestLimit === 0) delete config.requestLimit;
}
