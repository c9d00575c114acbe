import { createApi } from '@reduxjs/toolkit/query/react';
import { baseQuery } from './base-query';

/** The one cache of the client. Features inject their endpoints into it; nobody makes a second one. */
export const api = createApi({
  baseQuery,
  tagTypes: [
    'Product',
    'Review',
    'Order',
    'OrderEvents',
    'Account',
    'Role',
    'Info',
    'Config',
    'Delivery',
    'WebhookSubscription',
    'Session',
    'Attention',
  ],
  refetchOnReconnect: true,
  endpoints: () => ({}),
});
