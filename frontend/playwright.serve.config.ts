import { defineConfig } from '@playwright/test';
import { chromium } from './e2e/fixtures/chromium';
import { trace } from './e2e/fixtures/trace';

/** Journeys through the program as it runs in production; each worker opens a shop of its own (e2e/fixtures/serve/world.ts). */
export default defineConfig({
  testDir: 'e2e/serve',
  // Playwright empties this folder at its start: the other journeys' traces stay.
  outputDir: 'test-results-serve',
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    trace,
    launchOptions: chromium,
  },
});
