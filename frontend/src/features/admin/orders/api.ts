import { generatedAdminOrdersApi } from './api.generated';

const adminOrdersApi = generatedAdminOrdersApi.enhanceEndpoints({
  endpoints: {
    getAllOrders: { providesTags: ['Order'] },
    putOrdersStatusById: { invalidatesTags: ['Order', 'OneOrder'] },
  },
});

export const { useGetAllOrdersQuery, usePutOrdersStatusByIdMutation: useShipOrderMutation } =
  adminOrdersApi;
