import { generatedAccountsRecoveryApi } from './api.generated';

export const {
  useRequestPasswordResetMutation,
  useResetPasswordMutation,
  useGetVerificationQuery,
  useRequestVerificationMutation,
  useConfirmAddressMutation,
  useTakeAccountOverMutation,
  useDeleteUnprovedAccountMutation,
  useFinishGoogleByEmailMutation,
} = generatedAccountsRecoveryApi;
