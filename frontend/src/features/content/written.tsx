import { useEffect } from 'react';
import { SpinnerPage } from '@/ui/spinner';

/*
 * Pages that the server writes: of parts, and the landing pages. Their content is in what the server sent, for everybody and
 * without any script; the client puts its bars around it and leaves it as it is.
 */
const WRITTEN = /^\/(?:parts|shop|vehicles)\/./;

/** Stands in the page that is rendered ahead of time, where the server writes. */
const PLACE = '<!--content-->';
const ID = 'written';

/** What the server sent along with this visit; nothing while pages are rendered ahead of time. */
const sent = (() => {
  if (typeof document === 'undefined') return { at: undefined, html: PLACE, title: '' };
  const html = document.getElementById(ID)?.innerHTML;
  return { at: location.pathname, html, title: document.title };
})();

/** Whether the server writes what is at this path. */
export function isWritten(pathname: string): boolean {
  return WRITTEN.test(pathname);
}

export function Written({ pathname }: { pathname: string }) {
  const isHere = sent.at === undefined || (sent.at === pathname && sent.html !== undefined);
  useEffect(() => {
    if (isHere) document.title = sent.title;
    // Whoever came here by a link of the client asks the server.
    else location.reload();
  }, [isHere]);
  if (!isHere) return <SpinnerPage fullScreen />;
  return (
    <div
      id={ID}
      suppressHydrationWarning
      // biome-ignore lint/security/noDangerouslySetInnerHtml: it is what the server wrote, with every value escaped.
      dangerouslySetInnerHTML={{ __html: sent.html ?? '' }}
    />
  );
}
