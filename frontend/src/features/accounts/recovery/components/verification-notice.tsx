import type { ButtonHTMLAttributes } from 'react';
import { problemOf } from '@/api/problem';
import { useGetVerificationQuery, useRequestVerificationMutation } from '../api';
import { verificationMessages as messages } from '../messages';

function TextButton(props: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <button type="button" className="link-accent min-h-11 cursor-pointer text-sm" {...props} />
  );
}

/** Says that the address is not confirmed yet, and sends the e-mail again. Renders nothing once it is. */
export function VerificationNotice() {
  const verification = useGetVerificationQuery(undefined, { refetchOnMountOrArgChange: true });
  const [ask, requested] = useRequestVerificationMutation();

  if (verification.isError && !verification.isFetching) {
    return (
      <p className="text-sm text-muted">
        {messages.checkFailed}{' '}
        <TextButton onClick={verification.refetch}>{messages.retry}</TextButton>
      </p>
    );
  }
  if (!verification.data || verification.data.verified) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <p className="text-sm">{messages.unverified}</p>
      {requested.isSuccess ? (
        <p role="status" className="text-sm font-semibold text-success">
          {messages.sent}
        </p>
      ) : (
        <TextButton disabled={requested.isLoading} onClick={() => void ask()}>
          {messages.resend}
        </TextButton>
      )}
      {requested.isError && (
        <p role="alert" className="text-sm font-semibold text-error">
          {problemOf(requested.error).message}
        </p>
      )}
    </div>
  );
}
