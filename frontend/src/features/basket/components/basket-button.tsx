import { ShoppingCart } from 'lucide-react';
import { Suspense, useCallback, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'react-router-dom';
import { formatCount } from '@/lib/money';
import { retryingLazy } from '@/lib/retrying-lazy';
import { basketMessages as messages } from '../messages';
import { useBasket, useMovingBasket } from '../use-basket';

const loadDrawer = () => import(/* webpackChunkName: "basket" */ './basket-drawer');
const BasketDrawer = retryingLazy(loadDrawer);
/** If it does not come now, the click asks again. */
const aheadOfClick = () => void loadDrawer().catch(() => undefined);

/** The room that the top bar keeps for it: it comes after the first screen, and moves nothing. */
const SLOT = 'basket-slot';

/** The basket in the top bar, with how many parts are in it, and the drawer that it opens. */
export function BasketButton() {
  const { pathname } = useLocation();
  const { lines } = useBasket();
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  useMovingBasket();
  useEffect(() => setSlot(document.getElementById(SLOT)), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the drawer that led to it.
  useEffect(() => setOpen(false), [pathname]);

  const count = lines?.length ?? 0;
  if (!slot) return null;
  return createPortal(
    <>
      <button
        type="button"
        data-commands
        className="btn btn-ghost btn-square relative"
        aria-haspopup="dialog"
        aria-label={messages.open(count)}
        onPointerEnter={aheadOfClick}
        onFocus={aheadOfClick}
        onClick={() => setOpen(true)}
      >
        <ShoppingCart aria-hidden="true" className="size-6" />
        {count > 0 && (
          <span
            aria-hidden="true"
            className="absolute top-0 right-0 rounded-full bg-primary px-1.5 py-0.5 text-xs leading-none font-bold text-primary-content"
          >
            {count > 999 ? '999+' : formatCount(count)}
          </span>
        )}
      </button>
      {open && (
        <Suspense fallback={null}>
          <BasketDrawer onClose={close} />
        </Suspense>
      )}
    </>,
    slot,
  );
}
