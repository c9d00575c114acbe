import { Link, type To } from 'react-router-dom';
import { formatCount } from '@/lib/money';
import { cx } from '@/ui/cx';

interface View {
  to: To;
  label: string;
  current: boolean;
  /** How many there are, where that is known. */
  count?: number | undefined;
}

/** The parts of a list, each with an address of its own. */
export function Views({ label, views }: { label: string; views: readonly View[] }) {
  return (
    <nav
      aria-label={label}
      className="hide-scrollbar -mx-4 mb-6 flex gap-2 overflow-x-auto px-4 py-1 sm:mx-0 sm:flex-wrap sm:overflow-visible sm:px-0"
    >
      {views.map(({ to, label: name, current, count }) => (
        <Link
          key={name}
          to={to}
          aria-current={current ? 'page' : undefined}
          className={cx(
            'inline-flex min-h-11 shrink-0 items-center gap-2 rounded-selector border px-4 font-semibold',
            current
              ? 'border-primary bg-primary text-primary-content'
              : 'border-edge bg-surface hover:border-base-content',
          )}
        >
          {name} {count !== undefined && <span className="tabular-nums">{formatCount(count)}</span>}
        </Link>
      ))}
    </nav>
  );
}
