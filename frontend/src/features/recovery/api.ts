import { generatedRecoveryApi } from './api.generated';

export const {
  usePostAuthPasswordForgotMutation: useForgotPasswordMutation,
  usePostAuthPasswordResetMutation: useResetPasswordMutation,
  useGetAuthVerificationQuery: useVerificationQuery,
  usePostAuthVerificationMutation: useAskForVerificationMutation,
  usePostAuthVerificationConfirmMutation: useConfirmAddressMutation,
} = generatedRecoveryApi;
