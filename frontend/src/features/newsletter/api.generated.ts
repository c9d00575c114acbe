/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { Noted, Subscription, Unsubscription } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    subscribeToNewsletter: build.mutation<
      SubscribeToNewsletterApiResponse,
      SubscribeToNewsletterApiArg
    >({
      query: (queryArg) => ({
        url: `/newsletter`,
        method: 'POST',
        body: queryArg.subscription,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    unsubscribeFromNewsletter: build.mutation<
      UnsubscribeFromNewsletterApiResponse,
      UnsubscribeFromNewsletterApiArg
    >({
      query: (queryArg) => ({
        url: `/newsletter`,
        method: 'DELETE',
        body: queryArg,
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedNewsletterApi };
export type SubscribeToNewsletterApiResponse = /** status 202 Noted */ Noted;
export type SubscribeToNewsletterApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  subscription: Subscription;
};
export type UnsubscribeFromNewsletterApiResponse = /** status 202 Noted */ Noted;
export type UnsubscribeFromNewsletterApiArg = Unsubscription;
