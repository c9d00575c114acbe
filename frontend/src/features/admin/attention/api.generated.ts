/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { Attention, BankTransfer, ModifiedCount } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    listAttention: build.query<ListAttentionApiResponse, ListAttentionApiArg>({
      query: () => ({ url: `/attention` }),
    }),
    acknowledgeDispute: build.mutation<AcknowledgeDisputeApiResponse, AcknowledgeDisputeApiArg>({
      query: (queryArg) => ({
        url: `/attention/disputes/${encodeURIComponent(String(queryArg))}/acknowledge`,
        method: 'POST',
      }),
    }),
    sendPaymentBack: build.mutation<SendPaymentBackApiResponse, SendPaymentBackApiArg>({
      query: (queryArg) => ({
        url: `/attention/payments/${encodeURIComponent(String(queryArg))}/send-back`,
        method: 'POST',
      }),
    }),
    acknowledgeRefund: build.mutation<AcknowledgeRefundApiResponse, AcknowledgeRefundApiArg>({
      query: (queryArg) => ({
        url: `/attention/refunds/${encodeURIComponent(String(queryArg))}/acknowledge`,
        method: 'POST',
      }),
    }),
    recordBankTransfer: build.mutation<RecordBankTransferApiResponse, RecordBankTransferApiArg>({
      query: (queryArg) => ({
        url: `/attention/refunds/${encodeURIComponent(String(queryArg.id))}/bank-transfer`,
        method: 'POST',
        body: queryArg.bankTransfer,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    retryRefund: build.mutation<RetryRefundApiResponse, RetryRefundApiArg>({
      query: (queryArg) => ({
        url: `/attention/refunds/${encodeURIComponent(String(queryArg))}/retry`,
        method: 'POST',
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminAttentionApi };
export type ListAttentionApiResponse =
  /** status 200 What needs attention; mostly nothing */ Attention[];
export type ListAttentionApiArg = void;
export type AcknowledgeDisputeApiResponse = /** status 200 It is off the list */ ModifiedCount;
export type AcknowledgeDisputeApiArg = /** The dispute's id */ string;
export type SendPaymentBackApiResponse =
  /** status 200 It goes back, and the payment is closed */ ModifiedCount;
export type SendPaymentBackApiArg = /** The payment provider's id of the payment */ string;
export type AcknowledgeRefundApiResponse = /** status 200 It is off the list */ ModifiedCount;
export type AcknowledgeRefundApiArg = /** The refund's id */ string;
export type RecordBankTransferApiResponse = /** status 200 It is on record */ ModifiedCount;
export type RecordBankTransferApiArg = {
  /** The refund's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  bankTransfer: BankTransfer;
};
export type RetryRefundApiResponse = /** status 200 It is on its way again */ ModifiedCount;
export type RetryRefundApiArg = /** The refund's id */ string;
