import { generatedAdminAttentionApi } from './api.generated';

/* Refusals too say that the list on the screen is old: it is over, or another admin was here. */
const changes = { invalidatesTags: ['Attention', 'Order', 'OrderEvents'] as const };

export const {
  useListAttentionQuery,
  useRetryRefundMutation,
  useRecordBankTransferMutation,
  useAcknowledgeRefundMutation,
  useAcknowledgeDisputeMutation,
  useSendPaymentBackMutation,
} = generatedAdminAttentionApi.enhanceEndpoints({
  endpoints: {
    listAttention: { providesTags: ['Attention'] },
    retryRefund: { ...changes },
    recordBankTransfer: { ...changes },
    acknowledgeRefund: { ...changes },
    acknowledgeDispute: { ...changes },
    sendPaymentBack: { ...changes },
  },
});
