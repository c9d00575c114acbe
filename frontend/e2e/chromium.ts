import { existsSync } from 'node:fs';

const systemChromium = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** How the browser is started: the system's own if there is one, and without what it does by itself. */
export const chromium = {
  ...(existsSync(systemChromium) ? { executablePath: systemChromium } : {}),
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
};
