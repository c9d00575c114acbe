import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { cx } from '@/ui/cx';
import * as messages from './messages';

/** The name, and the mark: two flanges and the shaft between them. Compact, a phone shows the mark alone. */
export function Brand({ compact = false }: { compact?: boolean }) {
  return (
    <Link
      to={paths.home}
      className="flex min-h-11 items-center gap-2.5"
      aria-label={messages.brandLink}
    >
      <svg viewBox="0 0 32 20" aria-hidden="true" className="h-5 w-8">
        <path d="M1 0h5v20H1zM26 0h5v20h-5z" fill="currentColor" />
        <path d="M6 6h8.5l-3 8H6zM17.5 6H26v8H14.5z" className="fill-primary" />
      </svg>
      <span
        className={cx(
          'font-display text-2xl leading-none xs:text-3xl font-bold tracking-wide uppercase',
          compact ? 'max-sm:hidden' : 'max-[23rem]:hidden',
        )}
      >
        Driveline
      </span>
    </Link>
  );
}
