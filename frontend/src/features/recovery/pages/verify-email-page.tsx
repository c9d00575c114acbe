import { readProblem } from '@/api/problem';
import { AuthCard } from '@/features/session/components/auth-card';
import { useUser } from '@/features/session/use-session';
import { useIntentKeys } from '@/lib/intent-key';
import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { Button, ButtonLink } from '@/ui/button';
import { useConfirmAddressMutation, useVerificationQuery } from '../api';
import { Answer, CUT_LINK } from '../components/answer';
import { useLinkToken } from '../use-link-token';

/** A link that is of no use any more is no bad news to somebody whose address is confirmed already. */
function Gone({ message }: { message: string }) {
  const user = useUser();
  const { data } = useVerificationQuery(undefined, {
    skip: user === null,
    refetchOnMountOrArgChange: true,
  });
  if (data?.verified) return <Confirmed email={data.email} />;
  return (
    <Answer tone="error" message={message}>
      <ButtonLink to={paths.profile}>Ask for another letter</ButtonLink>
    </Answer>
  );
}

function Confirmed({ email }: { email: string }) {
  return (
    <Answer
      tone="success"
      message={
        <>
          Thank you. <strong className="wrap-anywhere">{email}</strong> is confirmed.
        </>
      }
    >
      <ButtonLink to={paths.home}>Home</ButtonLink>
    </Answer>
  );
}

/** A button, and not a call as soon as the page is there: mail programs look into links by themselves. */
function Confirm({ token }: { token: string | undefined }) {
  const keys = useIntentKeys();
  const [confirm, { data, error, isLoading }] = useConfirmAddressMutation();
  if (data) return <Confirmed email={data.email} />;
  const problem = error ? readProblem(error) : null;
  if (problem?.status === 410) return <Gone message={problem.message} />;
  return (
    <div className="grid gap-5">
      <p className="text-muted">
        By this you confirm that letters from Driveline reach you at your address.
      </p>
      <p role="alert" className="text-sm font-semibold text-error empty:hidden">
        {problem?.message}
      </p>
      <Button
        className="w-full"
        disabled={token === undefined}
        busy={isLoading}
        onClick={() =>
          void confirm({
            addressProof: { token: token ?? '' },
            'Idempotency-Key': keys.keyFor(token),
          })
        }
      >
        Confirm my address
      </Button>
    </div>
  );
}

export default function VerifyEmailPage() {
  usePageTitle('Confirm your address');
  const token = useLinkToken();
  return (
    <AuthCard title="Confirm your address">
      {token === null ? (
        <Answer tone="error" message={CUT_LINK}>
          <ButtonLink to={paths.profile}>Ask for another letter</ButtonLink>
        </Answer>
      ) : (
        <Confirm key={token} token={token} />
      )}
    </AuthCard>
  );
}
