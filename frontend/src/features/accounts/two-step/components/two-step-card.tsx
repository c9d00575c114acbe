import { Fingerprint, Smartphone } from 'lucide-react';
import { type ReactNode, Suspense, useRef, useState } from 'react';
import type { Factors, SecondFactors } from '@/api/types';
import { formatDay, formatTime } from '@/lib/dates';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { Dialog } from '@/ui/dialog';
import { ErrorState } from '@/ui/error-state';
import { notify } from '@/ui/notify';
import { Skeleton } from '@/ui/skeleton';
import {
  useGetSecondFactorQuery,
  useRemoveAppMutation,
  useRemovePasskeyMutation,
  useRenewRecoveryCodesMutation,
} from '../api';
import { codesMessages, cardMessages as messages, setupMessages } from '../messages';
import { addressAt, passkeysWorkHere } from '../passkey-host';
import { type Doing, Setup } from './lazy-setup';

function Row({ icon, name, facts, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-base-300 py-4">
      <span aria-hidden="true" className="shrink-0 text-muted">
        {icon}
      </span>
      <div className="grid min-w-0 flex-1 basis-60 gap-1">
        <p className="font-semibold break-words">{name}</p>
        <p className="text-sm text-muted">{facts}</p>
      </div>
      {children}
    </li>
  );
}

interface RowProps {
  icon: ReactNode;
  name: string;
  facts: string;
  children: ReactNode;
}

function Kept({ factors }: { factors: Factors }) {
  const [removeApp] = useRemoveAppMutation();
  const [removePasskey] = useRemovePasskeyMutation();
  return (
    <ul className="border-b border-base-300">
      {factors.passkeys.map(({ _id, name, addedAt, lastUsedAt }) => (
        <Row
          key={_id}
          icon={<Fingerprint className="size-6" />}
          name={name}
          facts={`${messages.added(formatDay(addedAt))} · ${
            lastUsedAt ? messages.lastUsed(formatTime(lastUsedAt)) : messages.neverUsed
          }`}
        >
          <ConfirmedButton
            label={messages.remove}
            context={name}
            title={messages.removePasskey}
            question={messages.removeQuestion}
            onConfirm={() => removePasskey(_id)}
            onDone={() => notify.success(messages.removed(name))}
          />
        </Row>
      ))}
      {factors.appAddedAt && (
        <Row
          icon={<Smartphone className="size-6" />}
          name={messages.app}
          facts={messages.appAdded(formatDay(factors.appAddedAt))}
        >
          <ConfirmedButton
            label={messages.remove}
            context={messages.app}
            title={messages.removeApp}
            question={messages.removeQuestion}
            onConfirm={() => removeApp()}
            onDone={() => notify.success(messages.removed(messages.app))}
          />
        </Row>
      )}
    </ul>
  );
}

interface RecoveryProps {
  left: number;
  onRenewed: (codes: string[]) => void;
}

function Recovery({ left, onRenewed }: RecoveryProps) {
  const [renew] = useRenewRecoveryCodesMutation();
  const codes = useRef<string[]>([]);
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <div className="grid gap-1">
        <p className="font-semibold">{messages.recovery(left)}</p>
        <p className="text-sm text-muted">{messages.recoveryAbout}</p>
      </div>
      <ConfirmedButton
        label={messages.renew}
        context={messages.title}
        title={messages.renewTitle}
        question={messages.renewQuestion}
        onConfirm={async () => {
          const answer = await renew();
          codes.current = answer.data?.recoveryCodes ?? [];
          return answer;
        }}
        onDone={() => onRenewed(codes.current)}
      />
    </div>
  );
}

function Card({ status, factors }: { status: SecondFactors; factors: Factors }) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  const added = (codes: string[]) => setDoing(codes.length > 0 ? { codes } : null);
  const { passkeyHost } = status;
  const title =
    doing === 'app'
      ? setupMessages.appTitle
      : doing === 'passkey'
        ? setupMessages.passkeyTitle
        : codesMessages.title;
  return (
    <>
      <p className="max-w-prose text-muted">{messages.about}</p>
      {status.enrolled && <Kept factors={factors} />}
      {factors.mayAdd ? (
        <div className="flex flex-wrap gap-3">
          {passkeysWorkHere(passkeyHost) && (
            <Button variant="outline" aria-haspopup="dialog" onClick={() => setDoing('passkey')}>
              {messages.addPasskey}
            </Button>
          )}
          {!factors.appAddedAt && (
            <Button variant="outline" aria-haspopup="dialog" onClick={() => setDoing('app')}>
              {messages.setUpApp}
            </Button>
          )}
        </div>
      ) : (
        <p className="text-sm text-muted">{messages.confirmEmail}</p>
      )}
      {factors.mayAdd && passkeyHost && !passkeysWorkHere(passkeyHost) && (
        <p className="text-sm text-muted">{messages.elsewhere(addressAt(passkeyHost))}</p>
      )}
      {status.enrolled && (
        <Recovery left={factors.recoveryCodes} onRenewed={(codes) => setDoing({ codes })} />
      )}
      {doing && (
        // Codes are shown once, so that a slip of the finger must not close them.
        <Dialog open title={title} onClose={close} locked={typeof doing === 'object'}>
          <Suspense fallback={<Skeleton className="h-64" />}>
            <Setup doing={doing} onAdded={added} onClose={close} />
          </Suspense>
        </Dialog>
      )}
    </>
  );
}

/** What confirms that it is the account's owner, beside the password or Google. */
export function TwoStepCard() {
  const { data, error, isError, isFetching, refetch } = useGetSecondFactorQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  return (
    <section aria-labelledby="two-step" className="card-surface grid gap-6 p-4 sm:p-8">
      <div className="flex flex-wrap items-center gap-4">
        <h2 id="two-step" className="text-3xl">
          {messages.title}
        </h2>
        {data &&
          (data.enrolled ? (
            <Badge tone="success">{messages.on}</Badge>
          ) : (
            <Badge>{messages.off}</Badge>
          ))}
      </div>
      {data?.factors ? (
        <Card status={data} factors={data.factors} />
      ) : isError && !isFetching ? (
        <ErrorState title={messages.failed} error={error} onRetry={refetch} />
      ) : (
        <div role="status" aria-label={messages.loading} className="grid gap-3">
          <Skeleton className="h-8" />
          <Skeleton className="h-8" />
        </div>
      )}
    </section>
  );
}
