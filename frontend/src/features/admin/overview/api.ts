import { orderLists } from '@/api/tags';
import { exportOf } from '../shared/export';
import { generatedAdminOverviewApi } from './api.generated';

export interface SalesFile {
  by: 'day' | 'category' | 'customer';
  days: number;
}

export const {
  useGetOverviewQuery,
  useGetTopSalesQuery,
  useGetPaymentFiguresQuery,
  useExportSalesMutation,
} = generatedAdminOverviewApi
  .enhanceEndpoints({
    endpoints: {
      getOverview: { providesTags: [orderLists, 'Product'] },
      getTopSales: { providesTags: [orderLists] },
      getPaymentFigures: { providesTags: [orderLists] },
    },
  })
  .injectEndpoints({
    endpoints: (build) => ({
      exportSales: build.mutation<null, SalesFile>({
        queryFn: exportOf('/overview/sales.csv'),
      }),
    }),
  });
