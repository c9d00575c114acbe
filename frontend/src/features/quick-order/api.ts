import { api } from '@/api/api';
import type { Checked } from './wire';

/** A thousand numbers are looked up: that may take longer than a screen is given. */
const TIMEOUT = 60_000;

export const quickOrderApi = api.injectEndpoints({
  endpoints: (build) => ({
    /** Buys nothing. */
    checkList: build.mutation<Checked, string>({
      query: (text) => ({
        url: '/quick-order/check',
        method: 'POST',
        body: { text },
        timeout: TIMEOUT,
      }),
    }),
    /** What was bought once, as a list to check. */
    reorderPurchase: build.mutation<Checked, string>({
      query: (id) => ({ url: `/checkouts/${encodeURIComponent(id)}/reorder`, method: 'POST' }),
    }),
  }),
});

export const { useCheckListMutation, useReorderPurchaseMutation } = quickOrderApi;
