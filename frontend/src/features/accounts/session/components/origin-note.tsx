import { Suspense } from 'react';
import { useLocation } from 'react-router-dom';
import { paths, safeReturnPath } from '@/lib/paths';
import { retryingLazy } from '@/lib/retrying-lazy';
import { LEFT_FROM, readStored } from '@/lib/tab-storage';
import { useHydrated } from '@/lib/use-hydrated';
import { productIdIn } from '@/lib/wanted-part';

const WantedPart = retryingLazy(
  () => import(/* webpackChunkName: "wanted-part" */ '@/features/catalog/components/wanted-part'),
);

/** Where somebody was before they were sent here, and whether only an admin may go there. */
export function useOrigin() {
  const { state, search } = useLocation();
  const hydrated = useHydrated();
  const origin = state as { from?: unknown; adminOnly?: unknown } | null;
  // The way through Google loses the history's state; only after a refusal does it end here.
  const isBack = hydrated && new URLSearchParams(search).has('error');
  const from = safeReturnPath(origin?.from ?? (isBack ? readStored(LEFT_FROM) : null));
  // What the other screen by which one gets in has to know as well.
  const onward = origin ?? (from === paths.home ? null : { from });
  return { state: onward, from, wanted: productIdIn(from), adminOnly: origin?.adminOnly === true };
}

interface OriginNoteProps {
  toOrder: (part: string) => string;
  /** For every other place. */
  onward: string;
}

/** Why somebody is asked who they are: for the part that they want to order, or to go on where they were. */
export function OriginNote({ toOrder, onward }: OriginNoteProps) {
  const hydrated = useHydrated();
  const { from, wanted } = useOrigin();
  if (!hydrated || from === paths.home) return null;
  const plain = <p className="text-muted">{onward}</p>;
  if (wanted === null) return plain;
  return (
    <Suspense fallback={plain}>
      <WantedPart
        productId={wanted}
        sentence={(name) => <p className="font-semibold">{toOrder(name)}</p>}
        otherwise={plain}
      />
    </Suspense>
  );
}
