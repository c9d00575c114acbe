/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { Overview, PaymentFigures, TopSales } from '@/api/types';

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
    getPaymentFigures: build.query<GetPaymentFiguresApiResponse, GetPaymentFiguresApiArg>({
      query: (queryArg) => ({
        url: `/overview/payments`,
        params: {
          days: queryArg,
        },
      }),
    }),
    getTopSales: build.query<GetTopSalesApiResponse, GetTopSalesApiArg>({
      query: (queryArg) => ({
        url: `/overview/top`,
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
export type GetPaymentFiguresApiResponse =
  /** status 200 Paid orders, and unpaid ones by age */ PaymentFigures;
export type GetPaymentFiguresApiArg =
  | /** The number of days up to today, 1 to 366; 30 if left out. */ number
  | undefined;
export type GetTopSalesApiResponse = /** status 200 What sold best, and who bought most */ TopSales;
export type GetTopSalesApiArg =
  | /** The number of days up to today, 1 to 366; 30 if left out. */ number
  | undefined;
