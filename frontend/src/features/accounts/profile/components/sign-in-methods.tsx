import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useGetConfigQuery } from '@/features/accounts/session/api';
import { Refusal } from '@/features/accounts/two-step/components/refusal';
import { paths } from '@/lib/paths';
import { Badge } from '@/ui/badge';
import { Button, ButtonLink } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { ErrorState } from '@/ui/error-state';
import { PersistentAlert } from '@/ui/persistent-alert';
import { Skeleton } from '@/ui/skeleton';
import {
  useBeginGoogleLinkMutation,
  useListSignInMethodsQuery,
  useUnlinkGoogleMutation,
} from '../api';
import { linkOutcomes, signInMethodMessages as messages } from '../messages';

function Row({ name, isOn, children }: { name: string; isOn: boolean; children: React.ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-4 border-l-4 border-base-300 py-1 pl-4">
      <span className="flex flex-wrap items-center gap-3">
        <span className="font-semibold">{name}</span>
        {isOn ? <Badge tone="success">{messages.on}</Badge> : <Badge>{messages.off}</Badge>}
      </span>
      {children}
    </li>
  );
}

/** The ways into one's own account. The last one cannot be taken away. */
export function SignInMethods() {
  const methods = useListSignInMethodsQuery(undefined, { refetchOnMountOrArgChange: true });
  const { data: config } = useGetConfigQuery();
  const [link, linking] = useBeginGoogleLinkMutation();
  const [unlink] = useUnlinkGoogleMutation();
  const [params, setParams] = useSearchParams();
  const [removed, setRemoved] = useState(false);
  const outcome = linkOutcomes[params.get('google') ?? ''];

  const leave = async () => {
    const { data } = await link();
    if (data) location.assign(data.address);
  };

  return (
    <section aria-labelledby="sign-in-methods" className="card-surface grid gap-6 p-4 sm:p-8">
      <h2 id="sign-in-methods" className="text-3xl">
        {messages.title}
      </h2>
      {outcome && (
        <PersistentAlert tone={outcome.tone} onDismiss={() => setParams({}, { replace: true })}>
          {outcome.message}
        </PersistentAlert>
      )}
      {removed && (
        <PersistentAlert tone="success" onDismiss={() => setRemoved(false)}>
          {messages.removed}
        </PersistentAlert>
      )}
      {methods.data ? (
        <ul className="grid gap-5">
          <Row name={messages.password} isOn={methods.data.password}>
            {!methods.data.password && (
              <ButtonLink variant="outline" to={paths.forgotPassword}>
                {messages.setPassword}
              </ButtonLink>
            )}
          </Row>
          {(config?.google || methods.data.google) && (
            <Row name={messages.google} isOn={methods.data.google}>
              {methods.data.google ? (
                <ConfirmedButton
                  label={messages.remove}
                  context={messages.google}
                  title={messages.removeTitle}
                  question={messages.removeQuestion}
                  disabled={!methods.data.password}
                  describedBy={methods.data.password ? undefined : 'only-way-in'}
                  onConfirm={() => unlink()}
                  onDone={() => {
                    setRemoved(true);
                    void methods.refetch();
                  }}
                />
              ) : (
                <Button variant="outline" busy={linking.isLoading} onClick={() => void leave()}>
                  {messages.link}
                </Button>
              )}
            </Row>
          )}
        </ul>
      ) : methods.isError && !methods.isFetching ? (
        <ErrorState title={messages.failed} error={methods.error} onRetry={methods.refetch} />
      ) : (
        <div role="status" aria-label={messages.loading} className="grid gap-3">
          <Skeleton className="h-8" />
          <Skeleton className="h-8" />
        </div>
      )}
      {methods.data?.google && !methods.data.password && (
        <p id="only-way-in" className="text-sm text-muted">
          {messages.onlyWay}
        </p>
      )}
      {linking.error && <Refusal error={linking.error} />}
    </section>
  );
}
