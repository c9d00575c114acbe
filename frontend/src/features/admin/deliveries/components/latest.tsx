import type { Page } from '@/api/page';
import { formatCount } from '@/lib/money';

/** Below a list of which only the beginning is shown: how much of it that is. */
export function Latest({ page: { items, total } }: { page: Page<unknown> }) {
  if (total <= items.length) return null;
  return (
    <p className="text-muted">
      The latest {formatCount(items.length)} of {formatCount(total)}.
    </p>
  );
}
