import type { ReactNode } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { useRetrySession, useSession } from '@/features/accounts/session/use-session';
import { paths } from '@/lib/paths';
import { ErrorState } from '@/ui/error-state';
import { Spinner } from '@/ui/spinner';
import { Heading } from './heading';
import * as messages from './messages';
import { isAdminPath } from './screens';

/** Where /login sends somebody afterwards, and whether only an admin may go there. */
export function useOrigin() {
  const { pathname, search, hash } = useLocation();
  return { from: `${pathname}${search}${hash}`, adminOnly: isAdminPath(pathname) };
}

/**
 * Lets signed-in accounts through. While it is unknown who this is they see the `skeleton` of what they most likely came for
 * and, should that take more than a moment, a spinner, which ends.
 */
export function SignedInOnly({ skeleton }: { skeleton: ReactNode }) {
  const session = useSession();
  const retry = useRetrySession();
  const origin = useOrigin();
  switch (session.phase) {
    case 'unknown':
      return (
        <>
          <Heading>{messages.signIn}</Heading>
          {skeleton}
          <p
            role="status"
            className="appear-after-wait card-surface fixed inset-x-0 bottom-0 z-40 flex items-center justify-center gap-3 p-4"
          >
            <Spinner small />
            {messages.checkingSignIn}…
          </p>
        </>
      );
    case 'failed':
      return (
        <div className="shell py-16">
          <Heading>{messages.signIn}</Heading>
          <ErrorState title={messages.signInFailed} error={session.problem} onRetry={retry} />
        </div>
      );
    case 'out':
      return <Navigate to={paths.login} replace state={origin} />;
    case 'in':
      return <Outlet />;
  }
}
