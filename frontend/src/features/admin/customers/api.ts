import { orderLists } from '@/api/tags';
import { generatedAdminCustomersApi } from './api.generated';

export const { useGetCustomerQuery } = generatedAdminCustomersApi.enhanceEndpoints({
  endpoints: { getCustomer: { providesTags: ['Account', orderLists] } },
});
