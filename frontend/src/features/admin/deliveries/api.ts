import type { DefinitionsFromApi, TagTypesFromApi } from '@reduxjs/toolkit/query';
import { type Paged, toPage } from '@/api/page';
import type { Delivery, WebhookDelivery } from '@/api/types';
import { generatedAdminDeliveriesApi } from './api.generated';

type Generated = DefinitionsFromApi<typeof generatedAdminDeliveriesApi>;

export const {
  useGetOutboxQuery,
  usePostOutboxByIdRetryMutation: useRetryDeliveryMutation,
  usePostOutboxRetryMutation: useRetryAllMutation,
  useGetWebhookEndpointsQuery: useGetSubscriptionsQuery,
  usePostWebhookEndpointsMutation: useAddSubscriptionMutation,
  useDeleteWebhookEndpointsByIdMutation: useRemoveSubscriptionMutation,
  useGetWebhookEndpointsByIdDeliveriesQuery: useGetWebhookDeliveriesQuery,
} = generatedAdminDeliveriesApi.enhanceEndpoints<
  TagTypesFromApi<typeof generatedAdminDeliveriesApi>,
  Paged<
    Paged<Generated, 'getOutbox', Delivery>,
    'getWebhookEndpointsByIdDeliveries',
    WebhookDelivery
  >
>({
  endpoints: {
    getOutbox: { transformResponse: toPage<Delivery>, providesTags: ['Delivery'] },
    // Refusals too say that the list on the screen is old: it was sent, or another admin was here.
    postOutboxByIdRetry: { invalidatesTags: ['Delivery'] },
    // It enables the subscription whose deliveries are tried again.
    postOutboxRetry: { invalidatesTags: ['Delivery', 'WebhookSubscription'] },
    getWebhookEndpoints: { providesTags: ['WebhookSubscription'] },
    postWebhookEndpoints: { invalidatesTags: (done) => (done ? ['WebhookSubscription'] : []) },
    deleteWebhookEndpointsById: { invalidatesTags: ['WebhookSubscription', 'Delivery'] },
    getWebhookEndpointsByIdDeliveries: {
      transformResponse: toPage<WebhookDelivery>,
      providesTags: ['Delivery'],
    },
  },
});
