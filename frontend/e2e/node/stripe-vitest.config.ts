import { defineConfig } from 'vitest/config';

/** For what drives the fake Stripe from Node: no DOM, no set-up, one file. */
export default defineConfig({
  test: { environment: 'node', include: ['e2e/node/stripe-sdk.ts'], testTimeout: 30_000 },
});
