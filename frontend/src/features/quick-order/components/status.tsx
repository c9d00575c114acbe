import {
  CircleAlert,
  CircleCheck,
  CircleHelp,
  type LucideIcon,
  RefreshCw,
  SearchX,
  TriangleAlert,
} from 'lucide-react';
import { cx } from '@/ui/cx';
import { messages } from '../messages';
import type { CheckedRow } from '../wire';

const looks: Record<CheckedRow['status'], { icon: LucideIcon; color: string }> = {
  ok: { icon: CircleCheck, color: 'text-success' },
  replaced: { icon: RefreshCw, color: 'text-info' },
  adjusted: { icon: CircleAlert, color: 'text-info' },
  choose: { icon: CircleHelp, color: 'text-warning' },
  short: { icon: TriangleAlert, color: 'text-warning' },
  unknown: { icon: SearchX, color: 'text-error' },
};

/** What became of a line: an icon, a word, and the shop's sentence. */
export function Status({ id, row }: { id: string; row: Pick<CheckedRow, 'status' | 'message'> }) {
  const { icon: Icon, color } = looks[row.status];
  return (
    <div id={id} className="min-w-0">
      <p className={cx('flex items-center gap-1.5 font-semibold', color)}>
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        {messages.status[row.status]}
      </p>
      {row.message && row.status !== 'ok' && <p className="text-sm text-muted">{row.message}</p>}
    </div>
  );
}
