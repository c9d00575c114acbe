import { api } from '@/api/api';
import { readProblem } from '@/api/problem';
import type { Inserted, Product } from '@/api/types';
import { toCents, toDollars } from '@/lib/money';
import type { ProductOrder } from './unanswered';

interface Purchase {
  order: ProductOrder;
  key: string;
  /** Whether it was sent before the page knew how many are left, so that they may be counted down already. */
  repeated?: boolean;
}

/** The unit price that a conflict told of: said outright, or out of the total it named. */
function unitPriceOf(problem: { unitPrice?: number; price?: number }, quantity: number) {
  if (problem.unitPrice !== undefined) return problem.unitPrice;
  if (problem.price === undefined) return undefined;
  return toDollars(Math.round(toCents(problem.price) / quantity));
}

const productApi = api.injectEndpoints({
  endpoints: (build) => ({
    /*
     * Carries no tag: after an order the screen knows what is left, and asking again at once could be answered from a
     * cache that has not heard of it. The page asks afresh whenever it is entered.
     */
    getProduct: build.query<Product, string>({
      query: (id) => `/products/${encodeURIComponent(id)}`,
    }),
    placeOrder: build.mutation<Inserted, Purchase>({
      query: ({ order, key }) => ({
        url: '/orders',
        method: 'POST',
        body: order,
        idempotencyKey: key,
      }),
      invalidatesTags: (_placed, error) => (error ? [] : ['Order', 'Product']),
      onQueryStarted: async ({ order, repeated = false }, { dispatch, queryFulfilled }) => {
        const correct = (change: (product: Product) => void) =>
          dispatch(productApi.util.updateQueryData('getProduct', order.productId, change));
        try {
          await queryFulfilled;
          if (repeated) return;
          correct((product) => {
            product.availableQty = Math.max(0, product.availableQty - order.quantity);
          });
        } catch (failure) {
          // A conflict says what is true now, so the page behind the form need not ask.
          const problem = readProblem((failure as { error?: unknown }).error);
          const unitPrice =
            problem.slug === 'price-changed' ? unitPriceOf(problem, order.quantity) : undefined;
          correct((product) => {
            if (problem.slug === 'out-of-stock' && problem.available !== undefined) {
              product.availableQty = problem.available;
            }
            if (unitPrice !== undefined) product.price = unitPrice;
          });
        }
      },
    }),
  }),
});

export const { useGetProductQuery, usePlaceOrderMutation } = productApi;
