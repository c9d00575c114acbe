import { Menu } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router-dom';
import { Avatar } from '@/features/accounts/session/components/avatar';
import { useSession } from '@/features/accounts/session/use-session';
import { paths } from '@/lib/paths';
import { cx } from '@/ui/cx';
import { Drawer } from '@/ui/drawer';
import { SpinnerPage } from '@/ui/spinner';
import { Brand } from './brand';
import * as messages from './messages';
import { linkTo } from './screens';
import { ThemeSwitch } from './theme-switch';
import * as titles from './titles';
import { useLeave } from './use-leave';

const DashboardMenu = lazy(
  () => import(/* webpackChunkName: "dashboard-menu" */ './dashboard-menu'),
);

const siteLinks = [linkTo('home'), linkTo('shop'), linkTo('about')];

const item =
  'flex min-h-11 cursor-pointer items-center border-b-2 border-transparent px-3 font-display text-lg font-bold tracking-wide uppercase hover:text-accent';

/** Keeps the room of a link that will most likely come, so that the others stay where they are. */
function LinkPlaceholder({ className, children }: { className: string; children: string }) {
  return (
    <li aria-hidden="true" className={cx('invisible', className)}>
      <span className={item}>{children}</span>
    </li>
  );
}

function SiteLinks({ stacked = false, onLeave }: { stacked?: boolean; onLeave?: () => void }) {
  const session = useSession();
  const { leave, leaving } = useLeave(onLeave);
  const linkClass = ({ isActive }: { isActive: boolean }) =>
    cx(item, isActive && 'border-primary!');
  return (
    <ul className={cx('flex', stacked ? 'flex-col gap-1' : 'items-center gap-1')}>
      {siteLinks.map(({ to, label }) => (
        <li key={to}>
          <NavLink to={to} end={to === paths.home} className={linkClass}>
            {label}
          </NavLink>
        </li>
      ))}
      {session.phase === 'unknown' && (
        <>
          <LinkPlaceholder className="hinted:hidden">{titles.login}</LinkPlaceholder>
          <LinkPlaceholder className="hidden hinted:block">{messages.dashboard}</LinkPlaceholder>
          <LinkPlaceholder className="hidden hinted:block">{messages.signOut}</LinkPlaceholder>
        </>
      )}
      {session.phase === 'in' && (
        <>
          <li>
            <NavLink to={paths.dashboard} className={linkClass}>
              {messages.dashboard}
            </NavLink>
          </li>
          <li>
            <button type="button" className={item} onClick={leave} disabled={leaving}>
              {messages.signOut}
            </button>
          </li>
        </>
      )}
      {(session.phase === 'out' || session.phase === 'failed') && (
        <li>
          <NavLink to={paths.login} className={linkClass}>
            {titles.login}
          </NavLink>
        </li>
      )}
    </ul>
  );
}

export function TopBar() {
  const { pathname } = useLocation();
  const session = useSession();
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const inDashboard = pathname === paths.dashboard || pathname.startsWith(`${paths.dashboard}/`);

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
          onClick={() => setOpen(true)}
          aria-haspopup="dialog"
          aria-label={inDashboard ? messages.openDashboardMenu : messages.openMenu}
        >
          <Menu aria-hidden="true" className="size-6" />
        </button>
        <Brand compact={inDashboard} />
        {inDashboard && (
          <span className="border-l border-edge pl-3 font-display text-xl font-bold tracking-wide text-muted uppercase">
            {messages.dashboard}
          </span>
        )}
        <nav aria-label={messages.mainMenu} className="ml-auto max-lg:hidden">
          <SiteLinks />
        </nav>
        <div className="flex items-center gap-1 max-lg:ml-auto">
          <ThemeSwitch />
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
      <Drawer
        open={open}
        onClose={close}
        label={inDashboard ? messages.dashboardMenu : messages.menu}
      >
        {inDashboard ? (
          <Suspense fallback={<SpinnerPage label={messages.loadingMenu} />}>
            <DashboardMenu onLeave={close} />
          </Suspense>
        ) : (
          <nav aria-label={messages.mainMenu}>
            <SiteLinks stacked onLeave={close} />
          </nav>
        )}
      </Drawer>
    </header>
  );
}
