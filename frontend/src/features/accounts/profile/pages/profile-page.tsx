import { ExternalLink, Pencil } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import type { Info, Person } from '@/api/types';
import { VerificationNotice } from '@/features/accounts/recovery/components/verification-notice';
import { Avatar } from '@/features/accounts/session/components/avatar';
import { accountChanged } from '@/features/accounts/session/slice';
import { useSessionDispatch, useUser } from '@/features/accounts/session/use-session';
import { retryingLazy } from '@/lib/retrying-lazy';
import { webLink } from '@/lib/web-link';
import { Button } from '@/ui/button';
import { ErrorState } from '@/ui/error-state';
import { notify } from '@/ui/notify';
import { PersistentAlert } from '@/ui/persistent-alert';
import { Skeleton } from '@/ui/skeleton';
import { useGetProfileQuery } from '../api';
import { infoLabels, profileMessages as messages } from '../messages';

const InfoDialog = retryingLazy(
  () => import(/* webpackChunkName: "info-dialog" */ '../components/info-dialog'),
);

const AccountDialog = retryingLazy(
  () => import(/* webpackChunkName: "account-dialog" */ '../components/account-dialog'),
);

// Below what the page is opened for, and as large as the rest of it.
const SigningIn = retryingLazy(
  () => import(/* webpackChunkName: "profile-sign-in" */ '../components/signing-in'),
);

function SocialLinks({ info }: { info: Info | null | undefined }) {
  const links = [
    { name: infoLabels.facebook, address: webLink(info?.facebook) },
    { name: infoLabels.linkedin, address: webLink(info?.linkedin) },
    { name: infoLabels.github, address: webLink(info?.github) },
  ].filter(({ address }) => address !== null);
  if (links.length === 0) return null;
  return (
    <ul aria-label={messages.socialLinks} className="flex flex-wrap gap-x-6">
      {links.map(({ name, address }) => (
        <li key={name}>
          <a
            href={address ?? undefined}
            target="_blank"
            rel="noopener noreferrer"
            className="link-accent inline-flex min-h-11 items-center gap-1.5"
          >
            {name}
            <ExternalLink aria-hidden="true" className="size-4" />
            <span className="sr-only">{messages.opensInNewTab}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function Facts({ info }: { info: Info }) {
  const facts = [
    { name: infoLabels.studyIn, value: info.studyIn },
    { name: infoLabels.livesIn, value: info.livesIn },
    { name: infoLabels.phone, value: info.phone },
  ];
  return (
    <dl className="grid gap-5 sm:grid-cols-3">
      {facts.map(({ name, value }) => (
        <div key={name} className="min-w-0 border-l-4 border-base-300 pl-4">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="font-semibold">
            {value || <span className="font-normal text-muted">{messages.notProvided}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function InfoCard({ action, children }: { action?: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby="more-info" className="card-surface grid gap-6 p-4 sm:p-8">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 id="more-info" className="text-3xl">
          {messages.moreInfo}
        </h2>
        {action}
      </div>
      {children}
    </section>
  );
}

function InfoSkeleton() {
  return (
    <InfoCard>
      <div role="status" aria-label={messages.loadingInfo} className="grid gap-5 sm:grid-cols-3">
        {[0, 1, 2].map((place) => (
          <div key={place} className="grid gap-2 border-l-4 border-base-300 pl-4">
            <Skeleton className="h-3 w-16" />
            <Skeleton className="h-5 w-32" />
          </div>
        ))}
      </div>
    </InfoCard>
  );
}

/** Who this is, as others see it, and a way to change that. */
function AccountCard({
  user,
  info,
  onEdit,
}: {
  user: Person;
  info: Info | null | undefined;
  onEdit: () => void;
}) {
  return (
    <section aria-label={messages.account} className="card-surface overflow-hidden">
      <div
        aria-hidden="true"
        data-theme="driveline-dark"
        className="flex h-24 items-end overflow-hidden bg-base-100 sm:h-28"
      >
        <div className="ticks w-full -scale-y-100 text-edge" />
      </div>
      <div className="flex flex-wrap items-end gap-x-6 gap-y-4 p-4 pt-0 sm:p-8 sm:pt-0">
        <Avatar
          user={user}
          className="-mt-12 size-28 border-4 border-surface text-4xl sm:-mt-14 sm:size-32 sm:text-5xl"
        />
        <div className="grid min-w-0 flex-1 basis-60 gap-1 pt-4">
          <h2 className="text-3xl normal-case sm:text-4xl">{user.displayName || user.email}</h2>
          <p className="text-muted">{user.email}</p>
          <VerificationNotice />
          <SocialLinks info={info} />
        </div>
        <Button variant="outline" aria-haspopup="dialog" onClick={onEdit}>
          <Pencil aria-hidden="true" className="size-4" />
          {messages.edit}
        </Button>
      </div>
    </section>
  );
}

function Profile({ user }: { user: Person }) {
  const dispatch = useSessionDispatch();
  const { data, error, isError, isFetching, refetch } = useGetProfileQuery(user.email, {
    refetchOnMountOrArgChange: true,
  });
  const [editing, setEditing] = useState<'info' | 'account' | null>(null);
  const [added, setAdded] = useState(false);
  const close = () => setEditing(null);

  const saved = (how: 'added' | 'updated') => {
    close();
    setAdded(how === 'added');
    if (how === 'updated') notify.success(messages.updated);
  };

  const open = () => {
    setAdded(false);
    setEditing('info');
  };

  return (
    <>
      {added && (
        <PersistentAlert tone="success" onDismiss={() => setAdded(false)}>
          {messages.infoAdded}
        </PersistentAlert>
      )}
      <div className="grid max-w-4xl gap-6">
        <AccountCard user={user} info={data} onEdit={() => setEditing('account')} />
        {data ? (
          <InfoCard
            action={
              <Button variant="outline" aria-haspopup="dialog" onClick={open}>
                {messages.update}
              </Button>
            }
          >
            <Facts info={data} />
          </InfoCard>
        ) : data === null ? (
          <InfoCard>
            <p className="max-w-prose text-muted">{messages.noInfo}</p>
            <Button aria-haspopup="dialog" className="justify-self-start" onClick={open}>
              {messages.addInfo}
            </Button>
          </InfoCard>
        ) : isError && !isFetching ? (
          <ErrorState title={messages.infoFailed} error={error} onRetry={refetch} />
        ) : (
          <InfoSkeleton />
        )}
        <Suspense fallback={<Skeleton className="h-64" />}>
          <SigningIn />
        </Suspense>
      </div>
      <Suspense>
        {editing === 'info' && data !== undefined && (
          <InfoDialog email={user.email} info={data} onSaved={saved} onClose={close} />
        )}
        {editing === 'account' && (
          <AccountDialog
            user={user}
            onClose={close}
            onUploaded={(changed) => {
              dispatch(accountChanged(changed));
            }}
            onSaved={(changed) => {
              close();
              dispatch(accountChanged(changed));
              notify.success(messages.updated);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

export default function ProfilePage() {
  const user = useUser();
  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{messages.title}</h1>
      {user && <Profile user={user} />}
    </>
  );
}
