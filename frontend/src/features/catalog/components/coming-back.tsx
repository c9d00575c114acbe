import { Suspense } from 'react';
import { useSession } from '@/features/accounts/session/use-session';
import { retryingLazy } from '@/lib/retrying-lazy';
import { homeMessages } from '../pages/messages';

const YourHome = retryingLazy(
  () => import(/* webpackChunkName: "your-home" */ '@/features/orders/components/your-home'),
);

/**
 * What whoever is logged in finds above the deals. Who most likely is has its room from the first paint on, so that nothing
 * moves when it comes.
 */
export function ComingBack() {
  const { phase } = useSession();
  if (phase === 'out' || phase === 'failed') return null;
  return (
    <section aria-label={homeMessages.yours} className="hidden h-80 py-8 hinted:block">
      <Suspense fallback={null}>{phase === 'in' && <YourHome />}</Suspense>
    </section>
  );
}
