import { generatedAccountsRecoveryApi } from './api.generated';

export const {
  usePostAuthPasswordForgotMutation: useForgotPasswordMutation,
  usePostAuthPasswordResetMutation: useResetPasswordMutation,
  useGetAuthVerificationQuery: useVerificationQuery,
  usePostAuthVerificationMutation: useAskForVerificationMutation,
  usePostAuthVerificationConfirmMutation: useConfirmAddressMutation,
  usePostAuthVerificationTakeOverMutation: useTakeAccountOverMutation,
  usePostAuthVerificationDeleteMutation: useDeleteAccountMutation,
  usePostAuthGoogleFinishMutation: useFinishGoogleMutation,
} = generatedAccountsRecoveryApi;
