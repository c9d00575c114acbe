import { NavLink } from 'react-router-dom';
import { useSession } from '@/features/accounts/session/use-session';
import { paths } from '@/lib/paths';
import { cx } from '@/ui/cx';
import * as messages from './messages';
import { linkTo } from './screens';
import * as titles from './titles';
import { useLeave } from './use-leave';

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

/** The bar's links, beside each other or, in the drawer, one below the other. */
export function SiteLinks({
  stacked = false,
  onLeave,
}: {
  stacked?: boolean;
  onLeave?: () => void;
}) {
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
