import { defineConfig } from 'vitest/config';

/** For what takes the shop's e-mails as a mail server would: a DOM to read them, no set-up, one file, whole programs. */
export default defineConfig({
  test: {
    environment: 'jsdom',
    include: ['e2e/node/mail.ts'],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    // They wait for one another's clocks more than they work.
    sequence: { concurrent: true },
  },
});
