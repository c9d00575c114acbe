import { orderLists } from '@/api/tags';
import { generatedAdminOverviewApi } from './api.generated';

export const { useGetOverviewQuery } = generatedAdminOverviewApi.enhanceEndpoints({
  endpoints: { getOverview: { providesTags: [orderLists, 'Product'] } },
});
