import { KeyRound, MonitorSmartphone } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { Session } from '@/api/types';
import { formatDay, formatTime } from '@/lib/dates';
import { retryingLazy } from '@/lib/retrying-lazy';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { ErrorState } from '@/ui/error-state';
import { notify } from '@/ui/notify';
import { Skeleton } from '@/ui/skeleton';
import { useEndOtherSessionsMutation, useEndSessionMutation, useListSessionsQuery } from '../api';
import { securityMessages as messages } from '../messages';

// With the forms' library, which the page itself can do without.
const PasswordDialog = retryingLazy(
  () => import(/* webpackChunkName: "password-dialog" */ './password-dialog'),
);

function SessionRow({ session }: { session: Session }) {
  const [endSession] = useEndSessionMutation();
  const device = session.device ?? messages.unknownDevice;
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-base-300 py-4">
      <MonitorSmartphone aria-hidden="true" className="size-6 shrink-0 text-muted" />
      <div className="grid min-w-0 flex-1 basis-60 gap-1">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold">
          {device}
          {session.current && <Badge tone="success">{messages.thisDevice}</Badge>}
        </p>
        <p className="text-sm text-muted">
          {session.current
            ? messages.activeNow
            : messages.lastActive(formatTime(session.lastSeenAt))}
          {' · '}
          {messages.signedIn(formatDay(session.openedAt))}
        </p>
      </div>
      {!session.current && (
        <ConfirmedButton
          label={messages.signOut}
          context={device}
          title={messages.signOutTitle}
          question={messages.signOutQuestion(device)}
          onConfirm={() => endSession(session._id)}
          onDone={() => notify.success(messages.signedOut(device))}
        />
      )}
    </li>
  );
}

function Sessions() {
  const { data, error, isError, isFetching, refetch } = useListSessionsQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const [endOthers] = useEndOtherSessionsMutation();
  if (!data && isError && !isFetching) {
    return <ErrorState title={messages.devicesFailed} error={error} onRetry={refetch} />;
  }
  if (!data) {
    return (
      <div role="status" aria-label={messages.loadingDevices} className="grid gap-3">
        <Skeleton className="h-12 w-full" />
        <Skeleton className="h-12 w-full" />
      </div>
    );
  }
  return (
    <div>
      <h3 className="mb-3 text-xl">{messages.devices}</h3>
      <ul className="border-b border-base-300">
        {data.map((session) => (
          <SessionRow key={session._id} session={session} />
        ))}
      </ul>
      {data.some((session) => !session.current) && (
        <div className="mt-4">
          <ConfirmedButton
            label={messages.signOutOthers}
            context={messages.othersContext}
            question={messages.othersQuestion}
            onConfirm={() => endOthers()}
            onDone={() => notify.success(messages.othersSignedOut)}
          />
        </div>
      )}
    </div>
  );
}

/** Changing the password, and where one is signed in. */
export function SecurityCard() {
  const [changing, setChanging] = useState(false);
  return (
    <section aria-labelledby="security" className="card-surface grid gap-8 p-4 sm:p-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="security" className="text-3xl">
          {messages.title}
        </h2>
        <Button variant="outline" aria-haspopup="dialog" onClick={() => setChanging(true)}>
          <KeyRound aria-hidden="true" className="size-4" />
          {messages.changePassword}
        </Button>
      </div>
      <Sessions />
      <Suspense>
        {changing && (
          <PasswordDialog
            onClose={() => setChanging(false)}
            onChanged={() => {
              setChanging(false);
              notify.success(messages.passwordChanged);
            }}
          />
        )}
      </Suspense>
    </section>
  );
}
