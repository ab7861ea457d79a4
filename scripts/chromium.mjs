// Finds a Chromium for the browser tests and the picture, and installs one when there is none.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { root } from './setup.mjs';

const usualPlaces = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** No background traffic of the browser's own, and no graphics card. */
const chromiumArguments = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-gpu',
];

/**
 * Where the system's Chromium is: EPICYCLE_CHROMIUM, else one of the usual places; undefined means Playwright's own.
 * @returns {string | undefined}
 */
function systemChromium() {
  return [process.env.EPICYCLE_CHROMIUM, ...usualPlaces].find((path) => path && existsSync(path));
}

/** What Playwright needs to launch it. */
export function chromiumLaunch() {
  const executablePath = systemChromium();
  return { ...(executablePath ? { executablePath } : {}), args: chromiumArguments };
}

/**
 * Sees to it that there is a Chromium that starts. Needs the dependencies installed.
 * @returns {Promise<string | undefined>} undefined when there is one, else one sentence that says what to do
 */
export async function ensureChromium() {
  const named = process.env.EPICYCLE_CHROMIUM;
  if (named && !existsSync(named))
    return `EPICYCLE_CHROMIUM names ${named}, which does not exist: correct it.`;
  if (await starts()) return undefined;
  if (!systemChromium()) {
    console.log('Installing Chromium with Playwright …');
    run('npx', ['playwright', 'install', 'chromium']);
    if (await starts()) return undefined;
    if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
      console.log('Installing Chromium with apt …');
      run('apt-get', ['update', '-qq']);
      run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...debianPackages]);
      if (await starts()) return undefined;
    }
  }
  return 'No Chromium starts here: install Chromium or Chrome, or name one with EPICYCLE_CHROMIUM=/path/to/it.';
}

const debianPackages = ['chromium', 'fonts-dejavu-core', 'fonts-noto-cjk'];

async function starts() {
  const { chromium } = await import('playwright');
  if (!systemChromium() && !existsSync(chromium.executablePath())) return false;
  try {
    const browser = await chromium.launch(chromiumLaunch());
    await browser.close();
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

/** @param {string} command @param {string[]} args */
function run(command, args) {
  spawnSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
}
