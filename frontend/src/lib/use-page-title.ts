import { createContext, use, useEffect } from 'react';

/** Where titles go while pages are rendered ahead of time, since there is no document then. */
export const TitleSink = createContext<((title: string) => void) | null>(null);

/** Names the page in the tab and the history; without a title it is left to whoever knows one. */
export function usePageTitle(title: string | undefined): void {
  const whole = title && `${title} | Driveline`;
  const sink = use(TitleSink);
  if (whole) sink?.(whole);
  useEffect(() => {
    if (whole) document.title = whole;
  }, [whole]);
}
