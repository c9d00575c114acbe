import type { DefinitionsFromApi, TagTypesFromApi } from '@reduxjs/toolkit/query';
import { type Paged, toPage } from '@/api/page';
import type { Delivery, WebhookDelivery } from '@/api/types';
import { generatedAdminDeliveriesApi } from './api.generated';

type Generated = DefinitionsFromApi<typeof generatedAdminDeliveriesApi>;

export const {
  useListDeliveriesQuery,
  useRetryDeliveryMutation,
  useRetryDeliveriesMutation,
  useListSubscriptionsQuery,
  useAddSubscriptionMutation,
  useRemoveSubscriptionMutation,
  useListSubscriptionDeliveriesQuery,
} = generatedAdminDeliveriesApi.enhanceEndpoints<
  TagTypesFromApi<typeof generatedAdminDeliveriesApi>,
  Paged<Paged<Generated, 'listDeliveries', Delivery>, 'listSubscriptionDeliveries', WebhookDelivery>
>({
  endpoints: {
    listDeliveries: { transformResponse: toPage<Delivery>, providesTags: ['Delivery'] },
    // Refusals too say that the list on the screen is old: it was sent, or another admin was here.
    retryDelivery: { invalidatesTags: ['Delivery'] },
    // It enables the subscription whose deliveries are tried again.
    retryDeliveries: { invalidatesTags: ['Delivery', 'WebhookSubscription'] },
    listSubscriptions: { providesTags: ['WebhookSubscription'] },
    addSubscription: { invalidatesTags: (done) => (done ? ['WebhookSubscription'] : []) },
    removeSubscription: { invalidatesTags: ['WebhookSubscription', 'Delivery'] },
    listSubscriptionDeliveries: {
      transformResponse: toPage<WebhookDelivery>,
      providesTags: ['Delivery'],
    },
  },
});
