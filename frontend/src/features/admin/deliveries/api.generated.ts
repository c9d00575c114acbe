/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type {
  AddedWebhookEndpoint,
  DeletedCount,
  Delivery,
  DeliveryState,
  ModifiedCount,
  NewWebhookEndpoint,
  RetriedCount,
  WebhookDelivery,
  WebhookEndpoint,
} from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listDeliveries: build.query<ListDeliveriesApiResponse, ListDeliveriesApiArg>({
      query: (queryArg) => ({
        url: `/outbox`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          state: queryArg.state,
        },
      }),
    }),
    retryDeliveries: build.mutation<RetryDeliveriesApiResponse, RetryDeliveriesApiArg>({
      query: (queryArg) => ({
        url: `/outbox/retry`,
        method: 'POST',
        params: {
          endpoint: queryArg,
        },
      }),
    }),
    retryDelivery: build.mutation<RetryDeliveryApiResponse, RetryDeliveryApiArg>({
      query: (queryArg) => ({
        url: `/outbox/${encodeURIComponent(String(queryArg))}/retry`,
        method: 'POST',
      }),
    }),
    listSubscriptions: build.query<ListSubscriptionsApiResponse, ListSubscriptionsApiArg>({
      query: () => ({ url: `/webhook-endpoints` }),
    }),
    addSubscription: build.mutation<AddSubscriptionApiResponse, AddSubscriptionApiArg>({
      query: (queryArg) => ({
        url: `/webhook-endpoints`,
        method: 'POST',
        body: queryArg.newWebhookEndpoint,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    removeSubscription: build.mutation<RemoveSubscriptionApiResponse, RemoveSubscriptionApiArg>({
      query: (queryArg) => ({
        url: `/webhook-endpoints/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
    listSubscriptionDeliveries: build.query<
      ListSubscriptionDeliveriesApiResponse,
      ListSubscriptionDeliveriesApiArg
    >({
      query: (queryArg) => ({
        url: `/webhook-endpoints/${encodeURIComponent(String(queryArg.id))}/deliveries`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
        },
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminDeliveriesApi };
export type ListDeliveriesApiResponse = /** status 200 Deliveries */ Delivery[];
export type ListDeliveriesApiArg = {
  /** The maximum number of items, 1 to 1000; all of them if left out. */
  limit?: number;
  /** Where the previous page ended, as its `Link` says. */
  cursor?: string;
  /** Only those in this state; `dead` without it. */
  state?: DeliveryState;
};
export type RetryDeliveriesApiResponse = /** status 200 Requeued */ RetriedCount;
export type RetryDeliveriesApiArg =
  | /** Only those of this webhook subscription, which is enabled for it if it was disabled. All without it. */ string
  | undefined;
export type RetryDeliveryApiResponse = /** status 200 Requeued */ ModifiedCount;
export type RetryDeliveryApiArg = /** The delivery's id */ string;
export type ListSubscriptionsApiResponse = /** status 200 Subscriptions */ WebhookEndpoint[];
export type ListSubscriptionsApiArg = void;
export type AddSubscriptionApiResponse = /** status 201 Subscribed */ AddedWebhookEndpoint;
export type AddSubscriptionApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newWebhookEndpoint: NewWebhookEndpoint;
};
export type RemoveSubscriptionApiResponse =
  /** status 200 1 if this call removed it, else 0 */ DeletedCount;
export type RemoveSubscriptionApiArg = /** The subscription's id */ string;
export type ListSubscriptionDeliveriesApiResponse = /** status 200 Deliveries */ WebhookDelivery[];
export type ListSubscriptionDeliveriesApiArg = {
  /** The subscription's id */
  id: string;
  /** The maximum number of items, 1 to 1000; all of them if left out. */
  limit?: number;
  /** Where the previous page ended, as its `Link` says. */
  cursor?: string;
};
