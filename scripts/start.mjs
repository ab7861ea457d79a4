// `npm start`: sets up, builds, and serves the built page.
import { createServer } from 'node:net';
import { giveUp, root, setUp } from './setup.mjs';
import { runStep } from './stages.mjs';

const port = Number(process.env.EPICYCLE_PORT ?? 4831);
const host = '127.0.0.1';

setUp();
if (!Number.isInteger(port) || port < 1 || port > 65535)
  giveUp(`EPICYCLE_PORT is ${process.env.EPICYCLE_PORT}, which is no port: give a number from 1 to 65535.`);
if (!(await isFree()))
  giveUp(
    `Port ${port} is taken: end what uses it, or choose another with EPICYCLE_PORT=${port + 10} npm start.`,
  );
if (!(await runStep({ name: 'build', command: 'npm', args: ['run', 'build', '--silent'] })))
  giveUp('The build failed (see above).');

const { preview } = await import('vite');
await preview({ root, logLevel: 'warn', preview: { host, port, strictPort: true } });
console.log(`\nEpicycle is at http://localhost:${port}/ (Ctrl+C ends it)`);

/** @returns {Promise<boolean>} */
function isFree() {
  return new Promise((resolve) => {
    const probe = createServer()
      .once('error', () => resolve(false))
      .once('listening', () => probe.close(() => resolve(true)))
      .listen(port, host);
  });
}
