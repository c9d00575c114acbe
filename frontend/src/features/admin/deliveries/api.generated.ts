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
    getOutbox: build.query<GetOutboxApiResponse, GetOutboxApiArg>({
      query: (queryArg) => ({
        url: `/outbox`,
        params: {
          limit: queryArg.limit,
          cursor: queryArg.cursor,
          state: queryArg.state,
        },
      }),
    }),
    postOutboxRetry: build.mutation<PostOutboxRetryApiResponse, PostOutboxRetryApiArg>({
      query: (queryArg) => ({
        url: `/outbox/retry`,
        method: 'POST',
        params: {
          endpoint: queryArg,
        },
      }),
    }),
    postOutboxByIdRetry: build.mutation<PostOutboxByIdRetryApiResponse, PostOutboxByIdRetryApiArg>({
      query: (queryArg) => ({
        url: `/outbox/${encodeURIComponent(String(queryArg))}/retry`,
        method: 'POST',
      }),
    }),
    getWebhookEndpoints: build.query<GetWebhookEndpointsApiResponse, GetWebhookEndpointsApiArg>({
      query: () => ({ url: `/webhook-endpoints` }),
    }),
    postWebhookEndpoints: build.mutation<
      PostWebhookEndpointsApiResponse,
      PostWebhookEndpointsApiArg
    >({
      query: (queryArg) => ({
        url: `/webhook-endpoints`,
        method: 'POST',
        body: queryArg.newWebhookEndpoint,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    deleteWebhookEndpointsById: build.mutation<
      DeleteWebhookEndpointsByIdApiResponse,
      DeleteWebhookEndpointsByIdApiArg
    >({
      query: (queryArg) => ({
        url: `/webhook-endpoints/${encodeURIComponent(String(queryArg))}`,
        method: 'DELETE',
      }),
    }),
    getWebhookEndpointsByIdDeliveries: build.query<
      GetWebhookEndpointsByIdDeliveriesApiResponse,
      GetWebhookEndpointsByIdDeliveriesApiArg
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
export type GetOutboxApiResponse = /** status 200 Deliveries */ Delivery[];
export type GetOutboxApiArg = {
  /** The maximum number of items, 1 to 1000; all of them if left out. */
  limit?: number;
  /** Where the previous page ended, as its `Link` says. */
  cursor?: string;
  /** Only those in this state; `dead` without it. */
  state?: DeliveryState;
};
export type PostOutboxRetryApiResponse = /** status 200 Requeued */ RetriedCount;
export type PostOutboxRetryApiArg =
  | /** Only those of this webhook subscription, which is enabled for it if it was disabled. All without it. */ string
  | undefined;
export type PostOutboxByIdRetryApiResponse = /** status 200 Requeued */ ModifiedCount;
export type PostOutboxByIdRetryApiArg = /** The delivery's id */ string;
export type GetWebhookEndpointsApiResponse = /** status 200 Subscriptions */ WebhookEndpoint[];
export type GetWebhookEndpointsApiArg = void;
export type PostWebhookEndpointsApiResponse = /** status 201 Subscribed */ AddedWebhookEndpoint;
export type PostWebhookEndpointsApiArg = {
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  newWebhookEndpoint: NewWebhookEndpoint;
};
export type DeleteWebhookEndpointsByIdApiResponse =
  /** status 200 1 if this call removed it, else 0 */ DeletedCount;
export type DeleteWebhookEndpointsByIdApiArg = /** The subscription's id */ string;
export type GetWebhookEndpointsByIdDeliveriesApiResponse =
  /** status 200 Deliveries */ WebhookDelivery[];
export type GetWebhookEndpointsByIdDeliveriesApiArg = {
  /** The subscription's id */
  id: string;
  /** The maximum number of items, 1 to 1000; all of them if left out. */
  limit?: number;
  /** Where the previous page ended, as its `Link` says. */
  cursor?: string;
};
