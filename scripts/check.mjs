// `npm run check`: format, lint, types, dead exports and the import table.
import { setUp } from './setup.mjs';
import { checks, conclude, countStep, runUnitTests } from './stages.mjs';

setUp();
const counts = [await countStep({ name: 'messages', command: 'node', args: ['scripts/messages.mjs'] })];
for (const check of checks) counts.push(await countStep(check));
counts.push(await runUnitTests(['src/imports.test.ts']));
conclude(counts);
