import { generatedAdminProductsApi } from './api.generated';

const adminProductsApi = generatedAdminProductsApi.enhanceEndpoints({
  endpoints: {
    postProducts: { invalidatesTags: (_added, error) => (error ? [] : ['Product']) },
    // A refusal too says that the row on the screen is old: another admin was here.
    putProductsById: { invalidatesTags: ['Product'] },
    deleteProductsById: { invalidatesTags: ['Product'] },
  },
});

export const {
  usePostProductsMutation: useAddProductMutation,
  usePutProductsByIdMutation: useRestockProductMutation,
  useDeleteProductsByIdMutation: useDeleteProductMutation,
} = adminProductsApi;
