import { Suspense, useLayoutEffect, useRef } from 'react';
import { Outlet, useLocation, useNavigationType } from 'react-router-dom';
import { retryingLazy } from '@/lib/retrying-lazy';
import { PageLevel } from '@/ui/page-level';
import { ToastHost } from '@/ui/toast-host';
import { ErrorBoundary, Quietly } from './error-boundary';
import { ScreenLoading } from './heading';
import * as messages from './messages';
import { TopBar } from './top-bar';

/* The footer begins below the first screen of every page, so it comes after that; a page works without it too. */
const Late = retryingLazy(() => import(/* webpackChunkName: "footer" */ './late'));

/** A new page starts at its top, and one that is come back to where it was left (kept-place.tsx); both with the keyboard and the screen reader at its content. */
function useFreshStart() {
  const { pathname } = useLocation();
  const type = useNavigationType();
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  // Before it is drawn: what travels to the new page has to arrive where it stays.
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (type !== 'POP') window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [pathname, type]);
  return { main, pathname };
}

/** Every screen: top bar, content, footer, and the place where messages appear. */
export function Layout() {
  const { main, pathname } = useFreshStart();
  return (
    <div className="flex min-h-dvh flex-col">
      <a className="skip-link" href="#content">
        {messages.skip}
      </a>
      <TopBar />
      <main id="content" ref={main} tabIndex={-1} className="min-h-[calc(100dvh-4rem)] flex-1">
        <ErrorBoundary resetKey={pathname}>
          <Suspense fallback={<ScreenLoading fullScreen />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Quietly>
        <Late />
      </Quietly>
      <PageLevel />
      <Quietly>
        <ToastHost />
      </Quietly>
    </div>
  );
}
