import { createAction } from '@reduxjs/toolkit';
import type { Problem } from './problem';
import type { Person } from './types';

/**
 * `unknown` until the server has said who this is; `failed` when it could not be asked. `half` after a first step to which a
 * second belongs. The session feature keeps it, the
 * base query reads it.
 */
export type SessionState =
  | { phase: 'unknown' }
  | { phase: 'failed'; problem: Problem }
  | { phase: 'out'; lost?: true; half?: boolean | undefined }
  | { phase: 'in'; user: Person };

export interface SessionHolder {
  session: SessionState;
}

/** Said by the base query when the server refuses to renew the token: whoever this was is signed out. */
export const sessionLost = createAction('session/lost');
