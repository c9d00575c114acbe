/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { FitAnswer, FittingVehicles } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getFit: build.query<GetFitApiResponse, GetFitApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg.id))}/fit`,
        params: {
          vehicle: queryArg.vehicle,
          engine: queryArg.engine,
        },
      }),
    }),
    listFittingVehicles: build.query<ListFittingVehiclesApiResponse, ListFittingVehiclesApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg.id))}/vehicles`,
        params: {
          make: queryArg.make,
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedFitmentApi };
export type GetFitApiResponse = /** status 200 Whether it fits */ FitAnswer;
export type GetFitApiArg = {
  /** The product's id */
  id: string;
  /** The vehicle's id. */
  vehicle: number;
  /** The id of its engine, if that is known. */
  engine?: number;
};
export type ListFittingVehiclesApiResponse = /** status 200 Ranges of years */ FittingVehicles[];
export type ListFittingVehiclesApiArg = {
  /** The product's id */
  id: string;
  /** Only of this make, by its id or its name; none if there is no such make. */
  make?: string;
  /** The maximum number of items, 1 to 1000; all of them if left out. */
  limit?: number;
  /** Where the previous page ended, as its `Link` says. */
  cursor?: string;
};
