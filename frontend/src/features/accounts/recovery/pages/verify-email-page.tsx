import { Suspense, useState } from 'react';
import { hasStatus, problemOf } from '@/api/problem';
import { AuthCard } from '@/features/accounts/session/components/auth-card';
import { useUser } from '@/features/accounts/session/use-session';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { paths } from '@/lib/paths';
import { retryingLazy } from '@/lib/retrying-lazy';
import { Button, ButtonLink } from '@/ui/button';
import { SpinnerPage } from '@/ui/spinner';
import { useConfirmAddressMutation, useGetVerificationQuery } from '../api';
import { Answer } from '../components/answer';
import { CUT_LINK, finishGoogleMessages, verifyMessages as messages } from '../messages';
import { useLinkToken } from '../use-link-token';

// Few need it, and the forms' library comes with it.
const NotShown = retryingLazy(
  () => import(/* webpackChunkName: "not-shown" */ '../components/not-shown'),
);
const FinishGoogle = retryingLazy(
  () => import(/* webpackChunkName: "finish-google" */ '../components/finish-google'),
);

/** A link that is of no use any more is no bad news to somebody whose address is confirmed already. */
function Gone({ message }: { message: string }) {
  const user = useUser();
  const { data } = useGetVerificationQuery(undefined, {
    skip: user === null,
    refetchOnMountOrArgChange: true,
  });
  if (data?.verified) return <Confirmed email={data.email} />;
  return (
    <Answer tone="error" message={message}>
      <ButtonLink to={paths.profile}>{messages.newEmail}</ButtonLink>
    </Answer>
  );
}

function Confirmed({ email }: { email: string }) {
  return (
    <Answer
      tone="success"
      message={
        <>
          {messages.beforeEmail}
          <strong className="wrap-anywhere">{email}</strong>
          {messages.afterEmail}
        </>
      }
    >
      <ButtonLink to={paths.home}>{messages.home}</ButtonLink>
    </Answer>
  );
}

/** A button, and not a call as soon as the page is there: mail programs look into links by themselves. */
function Confirm({ token }: { token: string | undefined }) {
  const user = useUser();
  const keys = useIdempotencyKeys();
  const [confirm, { data, error, isLoading }] = useConfirmAddressMutation();
  // Kept here: whoever takes the account over is signed out, and the answers of all calls are forgotten.
  const [isNotShown, setNotShown] = useState(false);
  if (data) return <Confirmed email={data.email} />;
  if (isNotShown && token) {
    return (
      <Suspense fallback={<SpinnerPage />}>
        <NotShown token={token} onConfirmed={Confirmed} />
      </Suspense>
    );
  }
  const problem = error ? problemOf(error) : null;
  if (problem?.status === 410) return <Gone message={problem.message} />;

  const press = async () => {
    const answer = await confirm({
      ownAddressProof: { token: token ?? '' },
      'Idempotency-Key': keys.keyFor([token, user?.email]),
    });
    // Nobody is signed in to the account in this browser: its owner has to show that it is theirs.
    if (answer.error && hasStatus(answer.error, 409)) setNotShown(true);
  };

  return (
    <div className="grid gap-5">
      <p className="text-muted">{messages.intro}</p>
      <p role="alert" className="text-sm font-semibold text-error empty:hidden">
        {problem?.message}
      </p>
      <Button
        className="w-full"
        disabled={token === undefined}
        busy={isLoading}
        onClick={() => void press()}
      >
        {messages.action}
      </Button>
    </div>
  );
}

export default function VerifyEmailPage() {
  const google = useLinkToken('google');
  const token = useLinkToken();
  if (google) {
    return (
      <AuthCard title={finishGoogleMessages.title}>
        <Suspense>
          <FinishGoogle token={google} />
        </Suspense>
      </AuthCard>
    );
  }
  return (
    <AuthCard title={messages.title}>
      {token === null ? (
        <Answer tone="error" message={CUT_LINK}>
          <ButtonLink to={paths.profile}>{messages.newEmail}</ButtonLink>
        </Answer>
      ) : (
        <Confirm key={token} token={token} />
      )}
    </AuthCard>
  );
}
