import { generatedAdminReturnsApi } from './api.generated';

/* A refusal is read first: what it makes old is asked for when its dialog closes. */
const changes = {
  invalidatesTags: (_done: unknown, error: unknown) =>
    error ? [] : (['Attention', 'Order', 'OrderEvents', 'Product'] as const),
};

export const { useAcceptReturnMutation, useDeclineReturnMutation } =
  generatedAdminReturnsApi.enhanceEndpoints({
    endpoints: { acceptReturn: { ...changes }, declineReturn: { ...changes } },
  });
