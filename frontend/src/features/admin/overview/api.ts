import { orderLists } from '@/api/tags';
import { generatedAdminOverviewApi } from './api.generated';

export const { useGetOverviewQuery, useGetTopSalesQuery, useGetPaymentFiguresQuery } =
  generatedAdminOverviewApi.enhanceEndpoints({
    endpoints: {
      getOverview: { providesTags: [orderLists, 'Product'] },
      getTopSales: { providesTags: [orderLists] },
      getPaymentFigures: { providesTags: [orderLists] },
    },
  });
