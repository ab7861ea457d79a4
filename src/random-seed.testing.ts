/**
 * What random tests draw is the same each time: whether a change passes is not a matter of chance. `npm run explore` draws
 * other things, by the variable EPICYCLE_SEED.
 */
import fc from 'fast-check';

const usualSeed = 20_261_130;

fc.configureGlobal({ seed: Number(process.env['EPICYCLE_SEED'] ?? usualSeed) });
