/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { Noted, Subscription } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    postNewsletter: build.mutation<PostNewsletterApiResponse, PostNewsletterApiArg>({
      query: (queryArg) => ({
        url: `/newsletter`,
        method: 'POST',
        body: queryArg.subscription,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedNewsletterApi };
export type PostNewsletterApiResponse = /** status 202 Noted */ Noted;
export type PostNewsletterApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  subscription: Subscription;
};
