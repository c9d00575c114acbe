import { generatedFitmentApi } from './api.generated';

/* What fits may change at any moment, and the page promises it: it is asked for again whenever it is entered. */
export const { useGetFitQuery, useListFittingVehiclesQuery } = generatedFitmentApi.enhanceEndpoints(
  {
    endpoints: {
      getFit: { providesTags: ['Product'] },
      listFittingVehicles: { providesTags: ['Product'] },
    },
  },
);
