import type { DefinitionsFromApi, TagTypesFromApi } from '@reduxjs/toolkit/query';
import { type Page, type Paged, toPage } from '@/api/page';
import type { Part } from '@/api/parts';
import { orderLists } from '@/api/tags';
import type { Category, Product, ProductSort } from '@/api/types';
import { pricesAreOld } from '@/features/pricing/api';
import { toCents, toDollars } from '@/lib/money';
import { type Pairs, queryString } from '@/lib/pairs';
import { generatedCatalogApi, type PlaceOrderApiArg } from './api.generated';

/** What the shop's page can ask for; all of it stands in its address. */
export interface ShopFilter {
  q: string;
  category: Category | '';
  sort: ProductSort;
  inStock: boolean;
  /** What parts are narrowed by beyond that, as the wire and the address have it. */
  more: Pairs;
}

/** The shop with nothing hidden. */
export const plainShop: ShopFilter = {
  q: '',
  category: '',
  sort: 'newest',
  inStock: false,
  more: [],
};

/** How many products the shop's page brings along, how many follow by themselves, and how many for the asking after that. */
const PARTS = [12, 36, 48] as const;

interface Stretch {
  cursor?: string;
  limit: number;
}

/** What narrows the shop, in whatever order it comes. */
export function narrowedBy({ q, category, inStock, more }: ShopFilter): Pairs {
  return [
    ...(q ? [['q', q] as const] : []),
    ...(category ? [['category', category] as const] : []),
    ...(inStock ? [['inStock', 'true'] as const] : []),
    ...more,
  ];
}

/** For how many seconds a list that nobody looks at is kept, for whoever comes back to it. */
const KEPT = 600;

/** From how many seconds on a list that is come back to is asked for again, behind what is shown. */
export const STALE = 60;

/** For how many seconds a product that was just asked for need not be asked for again: as long as a click takes. */
export const FRESH = 5;

/** An order as it is sent, and what the wire need not know. */
export interface SentOrder extends PlaceOrderApiArg {
  /** Whether it was sent before the page knew how many are left, so that they may be counted down already. */
  repeated?: boolean;
}

/** The unit price that a conflict reports: given outright, or worked out of the total it gives. */
function unitPriceOf(problem: { unitPrice?: number; price?: number }, quantity: number) {
  if (problem.unitPrice !== undefined) return problem.unitPrice;
  if (problem.price === undefined) return undefined;
  return toDollars(Math.round(toCents(problem.price) / quantity));
}

const catalogApi = generatedCatalogApi
  .enhanceEndpoints<
    TagTypesFromApi<typeof generatedCatalogApi>,
    Paged<DefinitionsFromApi<typeof generatedCatalogApi>, 'listProducts', Product>
  >({
    endpoints: {
      listProducts: { transformResponse: toPage<Product>, providesTags: ['Product'] },
      listReviews: { providesTags: ['Review'] },
      listReviewsOfProduct: { providesTags: ['Review'] },
      /*
       * `getProduct` carries no tag: after an order the screen knows what is left, and asking again at once could be
       * answered from a cache that has not heard of it. The page asks afresh whenever it is entered, unless somebody just
       * looked ahead.
       */
      placeOrder: {
        invalidatesTags: (_placed, error) => (error ? [] : [orderLists, 'Product']),
        onQueryStarted: (
          { newOrder, repeated = false }: SentOrder,
          { dispatch, queryFulfilled },
        ) => {
          const { productId, quantity } = newOrder;
          if (!productId) return;
          const correct = (change: (product: Product) => void) =>
            dispatch(catalogApi.util.updateQueryData('getProduct', productId, change));
          const countDown = () => {
            if (repeated) return;
            correct((product) => {
              product.availableQty = Math.max(0, product.availableQty - quantity);
            });
          };
          // A conflict says what is true now, so the page behind the form need not ask.
          void queryFulfilled.then(countDown, (failure) => {
            if (failure.isUnhandledError) return;
            const { slug, available, ...prices } = failure.error;
            const unitPrice = slug === 'price-changed' ? unitPriceOf(prices, quantity) : undefined;
            correct((product) => {
              if (slug === 'out-of-stock' && available !== undefined) {
                product.availableQty = available;
              }
              if (unitPrice !== undefined) {
                product.price = unitPrice;
                product.tiers = [];
              }
            });
            // What other quantities cost by now is not said.
            if (slug === 'price-changed') dispatch(pricesAreOld());
          });
        },
      },
    },
  })
  .injectEndpoints({
    endpoints: (build) => ({
      /** `listProducts` page after page, which the generator knows nothing of. */
      getShop: build.infiniteQuery<Page<Part>, ShopFilter, Stretch>({
        infiniteQueryOptions: {
          initialPageParam: { limit: PARTS[0] },
          getNextPageParam: ({ next }, { length }) =>
            next ? { cursor: next, limit: PARTS[length] ?? PARTS[2] } : undefined,
        },
        query: ({ queryArg, pageParam: { limit, cursor } }) =>
          `/products${queryString([
            ['limit', String(limit)],
            ...narrowedBy(queryArg),
            ...(queryArg.sort === 'newest' ? [] : [['sort', queryArg.sort] as const]),
            ...(cursor ? [['cursor', cursor] as const] : []),
          ])}`,
        transformResponse: toPage<Part>,
        providesTags: ['Product'],
        keepUnusedDataFor: KEPT,
      }),
    }),
  });

export const {
  useListProductsQuery,
  useGetShopInfiniteQuery,
  useListReviewsQuery,
  useListReviewsOfProductQuery,
  useGetProductQuery,
  usePlaceOrderMutation,
  usePrefetch,
} = catalogApi;

/** For an admin's list of reviews, which hides one before the shop has answered. */
export const { updateQueryData: updateReviews } = catalogApi.util;

/* Each is asked for in two places, and in the page's own words (src/prerender.tsx). */
export const useGetTopDealsQuery = () => useListProductsQuery({ limit: 4 });
export const useGetLatestReviewsQuery = () => useListReviewsQuery({ limit: 3 });
