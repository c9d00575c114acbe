import { readProblem } from '@/api/problem';
import type { Product } from '@/api/types';
import { toCents, toDollars } from '@/lib/money';
import { generatedProductApi, type PostOrdersApiArg } from './api.generated';

/** For how many seconds a product that was just asked for need not be asked for again: as long as a click takes. */
export const FRESH = 5;

/** An order as it is sent, and what the wire need not know. */
export interface Purchase extends PostOrdersApiArg {
  /** Whether it was sent before the page knew how many are left, so that they may be counted down already. */
  repeated?: boolean;
}

/** The unit price that a conflict told of: said outright, or out of the total it named. */
function unitPriceOf(problem: { unitPrice?: number; price?: number }, quantity: number) {
  if (problem.unitPrice !== undefined) return problem.unitPrice;
  if (problem.price === undefined) return undefined;
  return toDollars(Math.round(toCents(problem.price) / quantity));
}

const productApi = generatedProductApi.enhanceEndpoints({
  endpoints: {
    /*
     * `getProductsById` carries no tag: after an order the screen knows what is left, and asking again at once could be
     * answered from a cache that has not heard of it. The page asks afresh whenever it is entered, unless somebody just
     * looked ahead.
     */
    postOrders: {
      invalidatesTags: (_placed, error) => (error ? [] : ['Order', 'Product']),
      onQueryStarted: async (
        { newOrder, repeated = false }: Purchase,
        { dispatch, queryFulfilled },
      ) => {
        const { productId, quantity } = newOrder;
        if (!productId) return;
        const correct = (change: (product: Product) => void) =>
          dispatch(productApi.util.updateQueryData('getProductsById', productId, change));
        try {
          await queryFulfilled;
          if (repeated) return;
          correct((product) => {
            product.availableQty = Math.max(0, product.availableQty - quantity);
          });
        } catch (failure) {
          // A conflict says what is true now, so the page behind the form need not ask.
          const problem = readProblem((failure as { error?: unknown }).error);
          const unitPrice =
            problem.slug === 'price-changed' ? unitPriceOf(problem, quantity) : undefined;
          correct((product) => {
            if (problem.slug === 'out-of-stock' && problem.available !== undefined) {
              product.availableQty = problem.available;
            }
            if (unitPrice !== undefined) product.price = unitPrice;
          });
        }
      },
    },
  },
});

export const {
  useGetProductsByIdQuery: useGetProductQuery,
  usePostOrdersMutation: usePlaceOrderMutation,
  usePrefetch,
} = productApi;
