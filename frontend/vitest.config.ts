import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    environment: 'jsdom',
    environmentOptions: { jsdom: { url: 'http://shop.test/' } },
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/testing/setup.ts'],
    restoreMocks: true,
    // A process loads the client once, not once per file, which is two thirds of the processor's time. What a test leaves
    // behind is put away in setup.ts; `--sequence.shuffle.files` shows whether it is all.
    isolate: false,
    testTimeout: 60_000,
    maxWorkers: 2,
  },
});
