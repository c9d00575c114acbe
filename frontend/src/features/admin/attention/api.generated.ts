/* Written by `make client-api` from docs/openapi.json. Not to be edited. */

import { api } from '@/api/api';
import type { Attention, BankTransfer, ModifiedCount } from '@/api/types';

const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    getAttention: build.query<GetAttentionApiResponse, GetAttentionApiArg>({
      query: () => ({ url: `/attention` }),
    }),
    postAttentionDisputesByIdAcknowledge: build.mutation<
      PostAttentionDisputesByIdAcknowledgeApiResponse,
      PostAttentionDisputesByIdAcknowledgeApiArg
    >({
      query: (queryArg) => ({
        url: `/attention/disputes/${encodeURIComponent(String(queryArg))}/acknowledge`,
        method: 'POST',
      }),
    }),
    postAttentionPaymentsByIdSendBack: build.mutation<
      PostAttentionPaymentsByIdSendBackApiResponse,
      PostAttentionPaymentsByIdSendBackApiArg
    >({
      query: (queryArg) => ({
        url: `/attention/payments/${encodeURIComponent(String(queryArg))}/send-back`,
        method: 'POST',
      }),
    }),
    postAttentionRefundsByIdAcknowledge: build.mutation<
      PostAttentionRefundsByIdAcknowledgeApiResponse,
      PostAttentionRefundsByIdAcknowledgeApiArg
    >({
      query: (queryArg) => ({
        url: `/attention/refunds/${encodeURIComponent(String(queryArg))}/acknowledge`,
        method: 'POST',
      }),
    }),
    postAttentionRefundsByIdBankTransfer: build.mutation<
      PostAttentionRefundsByIdBankTransferApiResponse,
      PostAttentionRefundsByIdBankTransferApiArg
    >({
      query: (queryArg) => ({
        url: `/attention/refunds/${encodeURIComponent(String(queryArg.id))}/bank-transfer`,
        method: 'POST',
        body: queryArg.bankTransfer,
        headers: {
          'Idempotency-Key': queryArg['Idempotency-Key'],
        },
      }),
    }),
    postAttentionRefundsByIdRetry: build.mutation<
      PostAttentionRefundsByIdRetryApiResponse,
      PostAttentionRefundsByIdRetryApiArg
    >({
      query: (queryArg) => ({
        url: `/attention/refunds/${encodeURIComponent(String(queryArg))}/retry`,
        method: 'POST',
      }),
    }),
  }),
  overrideExisting: false,
});

export { injectedRtkApi as generatedAdminAttentionApi };
export type GetAttentionApiResponse =
  /** status 200 What needs attention; mostly nothing */ Attention[];
export type GetAttentionApiArg = void;
export type PostAttentionDisputesByIdAcknowledgeApiResponse =
  /** status 200 It is off the list */ ModifiedCount;
export type PostAttentionDisputesByIdAcknowledgeApiArg = /** The dispute's id */ string;
export type PostAttentionPaymentsByIdSendBackApiResponse =
  /** status 200 It goes back, and the payment is closed */ ModifiedCount;
export type PostAttentionPaymentsByIdSendBackApiArg =
  /** The payment provider's id of the payment */ string;
export type PostAttentionRefundsByIdAcknowledgeApiResponse =
  /** status 200 It is off the list */ ModifiedCount;
export type PostAttentionRefundsByIdAcknowledgeApiArg = /** The refund's id */ string;
export type PostAttentionRefundsByIdBankTransferApiResponse =
  /** status 200 It is on record */ ModifiedCount;
export type PostAttentionRefundsByIdBankTransferApiArg = {
  /** The refund's id */
  id: string;
  /** The same key again gets the first answer again, and nothing happens twice */
  'Idempotency-Key'?: string;
  bankTransfer: BankTransfer;
};
export type PostAttentionRefundsByIdRetryApiResponse =
  /** status 200 It is on its way again */ ModifiedCount;
export type PostAttentionRefundsByIdRetryApiArg = /** The refund's id */ string;
