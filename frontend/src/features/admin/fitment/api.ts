import { generatedAdminFitmentApi } from './api.generated';

const fitmentApi = generatedAdminFitmentApi.enhanceEndpoints({
  addTagTypes: ['Fitment'],
  endpoints: {
    listFitments: { providesTags: ['Fitment'] },
    setFitments: { invalidatesTags: ['Fitment', 'Product'] },
    getFitmentCoverage: { providesTags: ['Fitment'] },
  },
});

export const { useListFitmentsQuery, useSetFitmentsMutation, useGetFitmentCoverageQuery } =
  fitmentApi;
