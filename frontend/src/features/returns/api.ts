import { changedOrder } from '@/api/tags';
import { generatedReturnsApi } from './api.generated';

export const { useListOrderReturnsQuery, useRequestReturnMutation } =
  generatedReturnsApi.enhanceEndpoints({
    endpoints: {
      // Whatever becomes of a return is an event of its order.
      listOrderReturns: { providesTags: (_returns, _error, id) => [{ type: 'OrderEvents', id }] },
      // A refusal is read first: what it makes old is asked for when its dialog closes.
      requestReturn: {
        invalidatesTags: (_done, error, { id }) => (error ? [] : changedOrder(id)),
      },
    },
  });
