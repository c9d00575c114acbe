/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { Fitment, ModifiedCount, NewFitments, TypeCoverage } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getFitmentCoverage: build.query<GetFitmentCoverageApiResponse, GetFitmentCoverageApiArg>({
      query: () => ({ url: `/fitments/coverage` }),
    }),
    listFitments: build.query<ListFitmentsApiResponse, ListFitmentsApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg))}/fitments`,
      }),
    }),
    setFitments: build.mutation<SetFitmentsApiResponse, SetFitmentsApiArg>({
      query: (queryArg) => ({
        url: `/products/${encodeURIComponent(String(queryArg.id))}/fitments`,
        method: 'PUT',
        body: queryArg.newFitments,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminFitmentApi };
export type GetFitmentCoverageApiResponse = /** status 200 Part types, by name */ TypeCoverage[];
export type GetFitmentCoverageApiArg = void;
export type ListFitmentsApiResponse = /** status 200 Ranges of years, by name */ Fitment[];
export type ListFitmentsApiArg = /** The product's id */ string;
export type SetFitmentsApiResponse = /** status 200 Replaced */ ModifiedCount;
export type SetFitmentsApiArg = {
  /** The product's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newFitments: NewFitments;
};
