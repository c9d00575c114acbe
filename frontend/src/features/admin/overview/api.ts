import { generatedAdminOverviewApi } from './api.generated';

export const { useGetOverviewQuery } = generatedAdminOverviewApi.enhanceEndpoints({
  endpoints: { getOverview: { providesTags: ['Order', 'Product'] } },
});
