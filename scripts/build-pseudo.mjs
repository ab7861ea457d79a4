// Builds the page with the pseudo-locale, for the test that finds texts which are not in the catalogue.
import { runStep } from './stages.mjs';

const ok =
  (await runStep({ name: 'messages', command: 'node', args: ['scripts/messages.mjs', '--pseudo'] })) &&
  (await runStep({
    name: 'pages',
    command: 'vite',
    args: ['build', '--mode', 'pseudo', '--logLevel', 'warn'],
  }));
process.exit(ok ? 0 : 1);
