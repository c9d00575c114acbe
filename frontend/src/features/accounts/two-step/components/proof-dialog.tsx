import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { ErrorState } from '@/ui/error-state';
import { SpinnerPage } from '@/ui/spinner';
import { useGetSecondFactorQuery } from '../api';
import { proofMessages as messages } from '../messages';
import { ProveForm } from './prove-form';

/** Asks for the second step once more, before something that does lasting harm in the wrong hands. */
export default function ProofDialog({ onAnswer }: { onAnswer: (proved: boolean) => void }) {
  const { data, error, isError, isFetching, refetch } = useGetSecondFactorQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const cancel = () => onAnswer(false);
  return (
    <Dialog open title={messages.title} onClose={cancel}>
      <div className="grid gap-5">
        <p className="text-muted">{messages.again}</p>
        {data ? (
          <ProveForm
            factors={data}
            onProved={() => onAnswer(true)}
            aside={
              <Button variant="outline" onClick={cancel}>
                {messages.cancel}
              </Button>
            }
          />
        ) : isError && !isFetching ? (
          <ErrorState title={messages.failed} error={error} onRetry={refetch} />
        ) : (
          <SpinnerPage label={messages.loading} />
        )}
      </div>
    </Dialog>
  );
}
