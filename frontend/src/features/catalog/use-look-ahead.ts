import { useEffect, useRef } from 'react';
import { useSession } from '@/features/accounts/session/use-session';
import { FRESH, usePrefetch } from './api';
import { loadProductPage } from './load';

/** Milliseconds for which the pointer has to rest: on its way over a list it crosses many cards. */
const HOVER = 80;

/** Whether the browser is set to save data. Not every browser reports it. */
function savesData(): boolean {
  return (
    (navigator as Navigator & { connection?: { saveData?: boolean } }).connection?.saveData === true
  );
}

/**
 * For the links to a product: gets its page's code and its data once somebody points at one of them, so that the click
 * finds both. A visitor is led to Login first and gets neither.
 */
export function useLookAhead(id: string) {
  const session = useSession();
  const prefetch = usePrefetch('getProduct', { ifOlderThan: FRESH });
  const done = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const forget = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  const lookAhead = () => {
    if (done.current || session.phase !== 'in' || savesData()) return;
    done.current = true;
    prefetch(id);
    // If it does not come now, the click asks again and reports the failure.
    void loadProductPage().catch(() => undefined);
  };
  const soon = () => {
    forget();
    timer.current = setTimeout(lookAhead, HOVER);
  };
  return {
    onPointerEnter: soon,
    onPointerLeave: forget,
    onFocus: lookAhead,
    onTouchStart: lookAhead,
  };
}
