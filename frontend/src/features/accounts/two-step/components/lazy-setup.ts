import { retryingLazy } from '@/lib/retrying-lazy';

export type { Doing } from './setup';

/** With the forms' library, which neither the profile nor a log-in needs at once. */
export const Setup = retryingLazy(
  () => import(/* webpackChunkName: "second-step-setup" */ './setup'),
);
