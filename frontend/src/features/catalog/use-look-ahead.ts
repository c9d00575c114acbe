import { useRef } from 'react';
import { useSession } from '@/features/accounts/session/use-session';
import { FRESH, usePrefetch } from './api';
import { loadProductPage } from './load';

/** Whether the browser is set to save data. Not every browser reports it. */
function savesData(): boolean {
  return (
    (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true
  );
}

/**
 * For a link to a product: gets its page's code and its data as soon as somebody points at the link, once, so that the
 * click finds both. A visitor is led to Login first and gets neither.
 */
export function useLookAhead(id: string) {
  const session = useSession();
  const prefetch = usePrefetch('getProduct', { ifOlderThan: FRESH });
  const done = useRef(false);
  const lookAhead = () => {
    if (done.current || session.phase !== 'in' || savesData()) return;
    done.current = true;
    prefetch(id);
    // If it does not come now, the click asks again and reports the failure.
    void loadProductPage().catch(() => undefined);
  };
  return { onPointerEnter: lookAhead, onFocus: lookAhead, onTouchStart: lookAhead };
}
