import type { ReactNode } from 'react';
import { useHydrated } from '@/lib/use-hydrated';
import { cx } from '@/ui/cx';
import { SpinnerPage } from '@/ui/spinner';
import { authMessages } from '../pages/messages';
import { useSession } from '../use-session';

const checking = <SpinnerPage label={authMessages.checkingSignIn} />;

/**
 * Shows the form to whoever is not signed in, and a spinner while that is unknown. Of a page that was rendered ahead of
 * time a visitor sees the form at once, and whoever left the hint of a session the spinner; nobody can type into it before
 * it listens.
 */
export function AuthGuard({ children }: { children: ReactNode }) {
  const session = useSession();
  const hydrated = useHydrated();
  if (hydrated && session.phase === 'unknown') return checking;
  return (
    <>
      {!hydrated && <div className="hidden hinted:block">{checking}</div>}
      <div inert={!hydrated} className={cx('grid gap-6', !hydrated && 'hinted:hidden')}>
        {children}
      </div>
    </>
  );
}
