import { startSession } from '@/features/accounts/session/thunks';
import { useSessionDispatch, useSignOut } from '@/features/accounts/session/use-session';
import { Button } from '@/ui/button';
import { ErrorState } from '@/ui/error-state';
import { SpinnerPage } from '@/ui/spinner';
import { useGetSecondFactorQuery } from '../api';
import { secondStepMessages as messages, proofMessages } from '../messages';
import { Enrolment } from './enrolment';
import { ProveForm } from './prove-form';

/** What is left of a log-in after the password or Google: the second step, or turning it on. */
export default function SecondStep() {
  const { data, error, isError, isFetching, refetch } = useGetSecondFactorQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const dispatch = useSessionDispatch();
  const signOut = useSignOut();
  const finish = () => void dispatch(startSession());
  const leave = (
    <Button variant="outline" onClick={() => void signOut()}>
      {messages.otherAccount}
    </Button>
  );

  if (!data && isError && !isFetching) {
    return <ErrorState title={proofMessages.failed} error={error} onRetry={refetch} />;
  }
  if (!data) return <SpinnerPage label={proofMessages.loading} />;
  // What is added here is enrolled before its recovery codes were read.
  if (data.proved || !data.enrolled) {
    return (
      <div className="grid gap-6">
        <p>{messages.missing}</p>
        <Enrolment factors={data} onDone={finish} />
        {!data.enrolled && leave}
      </div>
    );
  }
  return (
    <div className="grid gap-6">
      <p>{messages.prove}</p>
      <ProveForm factors={data} onProved={finish} aside={leave} />
    </div>
  );
}
