import { Suspense } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { retryingLazy } from '@/lib/retrying-lazy';
import { useHydrated } from '@/lib/use-hydrated';
import { productIdIn } from '@/lib/wanted-part';
import { homeMessages } from '../pages/messages';

const WantedPart = retryingLazy(
  () => import(/* webpackChunkName: "wanted-part" */ './wanted-part'),
);

/** After a sign-up, which ends on Home: the way back to the part that led to it. */
export function ContinueWith() {
  const { state } = useLocation();
  const hydrated = useHydrated();
  const id = productIdIn((state as { wanted?: unknown } | null)?.wanted);
  if (!hydrated || id === null) return null;
  const sentence = (name: string) => (
    <Link className="link-accent" to={paths.product(id)}>
      {homeMessages.continueWith(name)}
    </Link>
  );
  return (
    <div className="shell py-4">
      <Suspense fallback={null}>
        <WantedPart productId={id} sentence={sentence} otherwise={null} />
      </Suspense>
    </div>
  );
}
