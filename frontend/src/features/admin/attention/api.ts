import { generatedAdminAttentionApi } from './api.generated';

/* Refusals too say that the list on the screen is old: it is over, or another admin was here. */
const changes = { invalidatesTags: ['Attention', 'Order', 'OrderEvents'] as const };

export const {
  useGetAttentionQuery,
  usePostAttentionRefundsByIdRetryMutation: useRetryRefundMutation,
  usePostAttentionRefundsByIdBankTransferMutation: useRecordBankTransferMutation,
  usePostAttentionRefundsByIdAcknowledgeMutation: useAcknowledgeRefundMutation,
  usePostAttentionDisputesByIdAcknowledgeMutation: useAcknowledgeDisputeMutation,
  usePostAttentionPaymentsByIdSendBackMutation: useSendBackMutation,
} = generatedAdminAttentionApi.enhanceEndpoints({
  endpoints: {
    getAttention: { providesTags: ['Attention'] },
    postAttentionRefundsByIdRetry: { ...changes },
    postAttentionRefundsByIdBankTransfer: { ...changes },
    postAttentionRefundsByIdAcknowledge: { ...changes },
    postAttentionDisputesByIdAcknowledge: { ...changes },
    postAttentionPaymentsByIdSendBack: { ...changes },
  },
});
