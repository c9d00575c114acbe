/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { Acceptance, ModifiedCount, Refusal } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    acceptReturn: build.mutation<AcceptReturnApiResponse, AcceptReturnApiArg>({
      query: (queryArg) => ({
        url: `/returns/${encodeURIComponent(String(queryArg.id))}/accept`,
        method: 'POST',
        body: queryArg.acceptance,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    declineReturn: build.mutation<DeclineReturnApiResponse, DeclineReturnApiArg>({
      query: (queryArg) => ({
        url: `/returns/${encodeURIComponent(String(queryArg.id))}/decline`,
        method: 'POST',
        body: queryArg.refusal,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminReturnsApi };
export type AcceptReturnApiResponse =
  /** status 200 1 if this call did it, 0 if it was accepted before */ ModifiedCount;
export type AcceptReturnApiArg = {
  /** The return's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  acceptance: Acceptance;
};
export type DeclineReturnApiResponse =
  /** status 200 1 if this call did it, 0 if it was declined before */ ModifiedCount;
export type DeclineReturnApiArg = {
  /** The return's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  refusal: Refusal;
};
