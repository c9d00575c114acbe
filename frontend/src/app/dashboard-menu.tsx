import { LogIn, LogOut, Search } from 'lucide-react';
import { NavLink, useLocation } from 'react-router-dom';
import { useRole, useUser } from '@/features/accounts/session/use-session';
import { openCommandPalette, paletteKey } from '@/lib/command-palette';
import { paths } from '@/lib/paths';
import { cx } from '@/ui/cx';
import { MenuSkeleton } from './dashboard-skeleton';
import { messages as late } from './late-messages';
import {
  adminLinks,
  commonLinks,
  customerLinks,
  garageLinks,
  type MenuLink,
  overviewLinks,
} from './menus';
import * as messages from './messages';
import * as titles from './titles';
import { useLeave } from './use-leave';

const row =
  'flex min-h-11 w-full items-center gap-3 rounded-field px-3 font-semibold hover:bg-base-300 cursor-pointer';

/** `shown` marks a row whose screen stands at another address too. */
export function Row({ link, shown = false }: { link: MenuLink; shown?: boolean }) {
  const Icon = link.icon;
  return (
    <li>
      <NavLink
        to={link.to}
        end
        className={({ isActive }) =>
          cx(row, (isActive || shown) && 'bg-base-300 shadow-[inset_3px_0_0_var(--color-primary)]')
        }
      >
        <Icon aria-hidden="true" className="size-5 text-accent" />
        {link.label}
      </NavLink>
    </li>
  );
}

/** The way to the command palette for whoever does not know its key, or has no keyboard. */
function PaletteButton({ onLeave }: { onLeave: (() => void) | undefined }) {
  return (
    <button
      type="button"
      className={cx(row, 'mb-1 border border-edge')}
      aria-haspopup="dialog"
      aria-keyshortcuts={paletteKey.aria}
      onClick={() => {
        onLeave?.();
        // A menu's own dialog has gone by then.
        setTimeout(openCommandPalette);
      }}
    >
      <Search aria-hidden="true" className="size-5 text-accent" />
      {late.searchAndGo}
      <span aria-hidden="true" className="ml-auto text-sm text-muted max-lg:hidden">
        {paletteKey.label}
      </span>
    </button>
  );
}

/** The side menu: an admin's, or a customer's, and what everyone has. */
export default function DashboardMenu({ onLeave }: { onLeave?: () => void }) {
  const user = useUser();
  const role = useRole();
  const { leave, leaving } = useLeave(onLeave);
  const { pathname } = useLocation();
  const isAdmin = role.state === 'admin';
  const links = isAdmin ? adminLinks : customerLinks;
  // The dashboard's own address shows the profile (spec, section 2).
  const showsProfile = pathname === paths.dashboard;
  if (role.state === 'asking') {
    return (
      <nav aria-label={messages.dashboard}>
        <PaletteButton onLeave={onLeave} />
        <div role="status" aria-label={late.loadingMenu}>
          <MenuSkeleton />
        </div>
      </nav>
    );
  }
  return (
    <>
      <PaletteButton onLeave={onLeave} />
      {user && (
        <ul className="mb-1 grid gap-1">
          {(isAdmin ? overviewLinks : garageLinks).map((link) => (
            <Row key={link.to} link={link} />
          ))}
        </ul>
      )}
      <nav aria-label={messages.dashboard}>
        <ul className="grid gap-1">
          {links.map((link) => (
            <Row key={link.to} link={link} />
          ))}
          <li aria-hidden="true" className="ticks my-3 text-edge" />
          {commonLinks.map((link) => (
            <Row key={link.to} link={link} shown={showsProfile && link.to === paths.profile} />
          ))}
          {user ? (
            <li>
              <button type="button" className={row} onClick={leave} disabled={leaving}>
                <LogOut aria-hidden="true" className="size-5 text-accent" />
                {messages.signOut}
              </button>
            </li>
          ) : (
            <Row link={{ to: paths.login, label: titles.login, icon: LogIn }} />
          )}
        </ul>
      </nav>
    </>
  );
}
