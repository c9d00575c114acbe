import { useLayoutEffect } from 'react';
import { useLocation, useNavigationType } from 'react-router-dom';

/** How far each entry of the history was scrolled when it was left, by the entry's key. */
const places = new Map<string, number>();

/** For how many milliseconds a page may grow until it is long enough. */
const PATIENCE = 10_000;

/** Whoever does one of these wants to be somewhere else. */
const OWN_WAYS = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Scrolls to a place as soon as the page reaches that far, then calls `onDone`. Returns what gives it up. */
function returnTo(place: number, onDone: () => void): () => void {
  const watch = new ResizeObserver(() => {
    window.scrollTo(0, place);
    if (Math.abs(window.scrollY - place) < 2) stop();
  });
  const stop = () => {
    watch.disconnect();
    clearTimeout(timer);
    for (const way of OWN_WAYS) removeEventListener(way, stop);
    onDone();
  };
  const timer = setTimeout(stop, PATIENCE);
  for (const way of OWN_WAYS) addEventListener(way, stop, { passive: true });
  watch.observe(document.body);
  return stop;
}

/**
 * Back and forward lead to the place that was left, also where the list has to be loaded first: browsers try once, while
 * the page before is still drawn. A link within a page leads to where it says.
 */
export function KeptPlace() {
  const { key, hash } = useLocation();
  const type = useNavigationType();
  useLayoutEffect(() => {
    if (hash) return;
    const place = type === 'POP' ? places.get(key) : undefined;
    let returning = place !== undefined;
    const remember = () => {
      if (!returning) places.set(key, window.scrollY);
    };
    const stop =
      place === undefined
        ? undefined
        : returnTo(place, () => {
            returning = false;
          });
    remember();
    addEventListener('scroll', remember, { passive: true });
    return () => {
      removeEventListener('scroll', remember);
      stop?.();
    };
  }, [key, hash, type]);
  return null;
}
