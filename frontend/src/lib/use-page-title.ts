import { createContext, use, useEffect } from 'react';

/** Where titles go while pages are rendered ahead of time, since there is no document then. */
export const TitleSink = createContext<((title: string) => void) | null>(null);

/** Names the page in the tab and the history. */
export function usePageTitle(title: string): void {
  const whole = `${title} | Driveline`;
  use(TitleSink)?.(whole);
  useEffect(() => {
    document.title = whole;
  }, [whole]);
}
