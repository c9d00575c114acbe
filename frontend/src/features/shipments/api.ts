import { api } from '@/api/api';
import { changedOrder } from '@/api/tags';
import type { NewShipment, Shipment } from './wire';

const path = (id: string) => `/orders/${encodeURIComponent(id)}/shipments`;

const shipmentsApi = api.injectEndpoints({
  endpoints: (build) => ({
    listShipments: build.query<Shipment[], string>({
      query: path,
      // An order that is shipped whole has a shipment too.
      providesTags: (_shipments, _error, id) => [{ type: 'OrderEvents', id }],
    }),
    addShipment: build.mutation<
      unknown,
      { id: string; shipment: NewShipment; 'Idempotency-Key'?: string }
    >({
      query: ({ id, shipment, 'Idempotency-Key': key }) => ({
        url: path(id),
        method: 'POST',
        body: shipment,
        headers: { 'Idempotency-Key': key },
      }),
      // A refusal too says that the screen is old: another admin was here.
      invalidatesTags: (_done, _error, { id }) => changedOrder(id),
    }),
  }),
});

export const { useListShipmentsQuery, useAddShipmentMutation } = shipmentsApi;
