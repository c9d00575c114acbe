import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * False where a page is rendered ahead of time and while a browser takes that page over, true from then on. Whatever only
 * this browser knows (its address's query, a loading call) has to wait for it, or the page would not be the one that came.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
