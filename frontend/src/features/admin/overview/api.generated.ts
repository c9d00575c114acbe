/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { Overview } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getOverview: build.query<GetOverviewApiResponse, GetOverviewApiArg>({
      query: (queryArg) => ({
        url: `/overview`,
        params: {
          days: queryArg,
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminOverviewApi };
export type GetOverviewApiResponse = /** status 200 How the shop is doing */ Overview;
export type GetOverviewApiArg =
  | /** The number of days up to today, 1 to 366; 30 if left out. */ number
  | undefined;
