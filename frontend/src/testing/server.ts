import { setupServer } from 'msw/node';

/** No call is answered unless a test says how: a forgotten handler fails the test. */
export const server = setupServer();
