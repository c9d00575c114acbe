import { defineConfig } from '@playwright/test';

/** What one sick neighbour does to the others: measured, printed, no part of `make check` (e2e/drill/sick.spec.ts). */
export default defineConfig({
  testDir: 'e2e/drill',
  workers: 1,
  timeout: 30 * 60_000,
  reporter: 'list',
});
