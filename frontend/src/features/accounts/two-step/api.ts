import { generatedAccountsTwoStepApi } from './api.generated';

/** The first factor ends the other sessions, and a proof shows what there is. */
const changes = (_done: unknown, error: unknown) => (error ? [] : (['Session'] as const));

const twoStepApi = generatedAccountsTwoStepApi.enhanceEndpoints({
  endpoints: {
    getSecondFactor: { providesTags: ['Session'] },
    confirmApp: { invalidatesTags: changes },
    removeApp: { invalidatesTags: changes },
    addPasskey: { invalidatesTags: changes },
    removePasskey: { invalidatesTags: changes },
    renewRecoveryCodes: { invalidatesTags: changes },
    proveByCode: { invalidatesTags: changes },
    proveByPasskey: { invalidatesTags: changes },
  },
});

export const {
  useGetSecondFactorQuery,
  useBeginAppMutation,
  useConfirmAppMutation,
  useRemoveAppMutation,
  useBeginPasskeyMutation,
  useAddPasskeyMutation,
  useRemovePasskeyMutation,
  useRenewRecoveryCodesMutation,
  useProveByCodeMutation,
  useBeginProofByPasskeyMutation,
  useProveByPasskeyMutation,
} = twoStepApi;
