import { type ReactNode, useEffect, useState } from 'react';
import { useLocation } from 'react-router-dom';

let show: ((shown: ReactNode) => void) | null = null;

/** Shows this over the page, for as long as the page stays; null takes it away. */
export function showOnPage(shown: ReactNode): void {
  show?.(shown);
}

/**
 * Where questions stand that must outlive what asked them: a list may lose the row whose button was pressed, while its
 * question still has to say what came of it. Mounted once by the layout.
 */
export function PageLevel() {
  const [shown, setShown] = useState<ReactNode>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stood over a page goes with it.
  useEffect(() => {
    show = setShown;
    return () => {
      show = null;
      setShown(null);
    };
  }, [pathname]);
  return shown;
}
