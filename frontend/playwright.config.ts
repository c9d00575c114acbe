import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import { chromium } from './e2e/fixtures/chromium';
import { freePort } from './e2e/fixtures/free-port';
import { trace } from './e2e/fixtures/trace';

const program = fileURLToPath(new URL('../target/debug/driveline', import.meta.url));

/*
 * Journeys run against the shop at BASE_URL (or SHOP_URL). Without either, a demo shop of their own is started in a fresh
 * folder and stopped afterwards. Workers read this file again and must come to the same answers, hence the environment.
 */
const given = process.env.BASE_URL ?? process.env.SHOP_URL;
if (!given && !process.env.E2E_PORT) {
  const folder = mkdtempSync(join(tmpdir(), 'driveline-e2e-'));
  // The private Postgres may run as another user, who has to get into the folder.
  chmodSync(folder, 0o755);
  process.env.E2E_PORT = String(await freePort());
  process.env.E2E_FOLDER = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
}
const own = `http://127.0.0.1:${process.env.E2E_PORT}`;

/** Journeys that look at what everybody does together (sums, counts, the newest three), so that nobody may do anything beside them. */
const alone = [
  '**/overview.spec.ts',
  '**/admin-lists.spec.ts',
  '**/permissions/write-review.spec.ts',
];

export default defineConfig({
  testDir: 'e2e',
  workers: 2,
  // Long enough for two processors that compile and test something else beside; who passes does not wait for it.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: Boolean(process.env.CI),
  // One in some two hundred journeys may meet a machine that stood still. `make check` names whoever needed this.
  retries: process.env.CI ? 1 : 0,
  reporter: 'list',
  use: {
    baseURL: given ?? own,
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    trace,
    launchOptions: chromium,
  },
  projects: [
    {
      name: 'journeys',
      testIgnore: ['**/*screenshots.spec.ts', '**/serve/**', '**/drill/**', ...alone],
    },
    { name: 'alone', testMatch: alone, workers: 1 },
    { name: 'screenshots', testMatch: '**/*screenshots.spec.ts', timeout: 600_000, workers: 1 },
  ],
  ...(given
    ? {}
    : {
        webServer: {
          command: `exec "${program}" demo --port ${process.env.E2E_PORT} --data-dir "${process.env.E2E_FOLDER}/data"`,
          url: `${own}/health/ready`,
          timeout: 60_000,
          // An unoptimised program on a busy machine lets visitors wait, and should not refuse them.
          env: { RUST_LOG: 'warn', QUEUE_DELAY_MS: '0' },
          reuseExistingServer: false,
          gracefulShutdown: { signal: 'SIGTERM', timeout: 15_000 },
        },
      }),
});
