import { generatedVehiclesApi } from './api.generated';

const garageApi = generatedVehiclesApi.enhanceEndpoints({
  addTagTypes: ['Garage'],
  endpoints: {
    listGarage: { providesTags: ['Garage'] },
    addGarageVehicle: { invalidatesTags: ['Garage'] },
    editGarageVehicle: { invalidatesTags: ['Garage'] },
    removeGarageVehicle: { invalidatesTags: ['Garage'] },
    mergeGarage: {
      // The answer is the whole garage: what was chosen keeps its name while it moves there.
      onQueryStarted: async (_vehicles, { dispatch, queryFulfilled }) => {
        const done = await queryFulfilled.catch(() => null);
        if (done) dispatch(garageApi.util.upsertQueryData('listGarage', undefined, done.data));
      },
    },
  },
});

export const {
  useListGarageQuery,
  useAddGarageVehicleMutation,
  useEditGarageVehicleMutation,
  useRemoveGarageVehicleMutation,
  useMergeGarageMutation,
} = garageApi;
