import { Menu } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { Avatar } from '@/features/accounts/session/components/avatar';
import { useSession } from '@/features/accounts/session/use-session';
import { paths } from '@/lib/paths';
import { retryingLazy } from '@/lib/retrying-lazy';
import { Brand } from './brand';
import { Quietly } from './error-boundary';
import { FindBox } from './find-box';
import * as messages from './messages';
import { isUnderDashboard } from './screens';
import { SiteLinks } from './site-links';
import { ThemeSwitch } from './theme-switch';

const loadDrawer = () => import(/* webpackChunkName: "dashboard-menu" */ './menu-drawer');
const MenuDrawer = retryingLazy(loadDrawer);
/** If it does not come now, the click asks again. */
const aheadOfClick = () => void loadDrawer().catch(() => undefined);

export function TopBar() {
  const { pathname } = useLocation();
  const session = useSession();
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const inDashboard = isUnderDashboard(pathname);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the menu that led to it.
  useEffect(() => setOpen(false), [pathname]);

  return (
    <header
      data-theme="driveline-dark"
      className="site-frame sticky top-0 z-40 border-b border-base-300 bg-base-100"
    >
      <div className="shell flex h-16 items-center gap-2 xs:gap-3">
        <button
          type="button"
          className="btn btn-ghost btn-square -ml-2 lg:hidden"
          onPointerDown={aheadOfClick}
          onClick={() => setOpen(true)}
          aria-haspopup="dialog"
          aria-label={inDashboard ? messages.openDashboardMenu : messages.openMenu}
        >
          <Menu aria-hidden="true" className="size-6" />
        </button>
        <Brand compact={inDashboard} />
        {inDashboard && (
          <span className="border-l border-edge pl-3 font-display text-xl font-bold tracking-wide text-muted uppercase max-[23rem]:hidden">
            {messages.dashboard}
          </span>
        )}
        <FindBox />
        <nav aria-label={messages.mainMenu} className="max-lg:hidden">
          <SiteLinks />
        </nav>
        <div className="flex items-center gap-1">
          <span id="basket-slot" className="size-11" />
          <ThemeSwitch />
          {/* A phone has no room for it; its menu leads there too. */}
          <div className="max-xs:hidden">
            {session.phase === 'unknown' && <span className="hidden size-11 hinted:block" />}
            {session.phase === 'in' && (
              <Link
                to={paths.profile}
                className="grid size-11 place-content-center rounded-full"
                aria-label={messages.profileOf(session.user.displayName || session.user.email)}
                title={session.user.displayName || session.user.email}
              >
                <Avatar user={session.user} />
              </Link>
            )}
          </div>
        </div>
      </div>
      {open && (
        <Quietly>
          <MenuDrawer inDashboard={inDashboard} onClose={close} />
        </Quietly>
      )}
    </header>
  );
}
