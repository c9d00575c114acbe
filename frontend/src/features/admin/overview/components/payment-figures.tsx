import { Link } from 'react-router-dom';
import type { PaymentFigures, UnpaidGroup } from '@/api/types';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { useGetPaymentFiguresQuery } from '../api';
import { messages } from '../messages';
import { SectionCard } from './section-card';

const { payments: text } = messages;

/** Of all that were placed, in whole percent; null if none were. */
const percentPaid = (paid: number, placed: number) =>
  placed > 0 ? Math.round((100 * paid) / placed) : null;

function Conversion({ figures }: { figures: PaymentFigures }) {
  const { placed, paid, placedBefore, paidBefore } = figures;
  const now = percentPaid(paid, placed);
  const before = percentPaid(paidBefore, placedBefore);
  return (
    <p className="grid content-start gap-1">
      <strong className="font-display text-4xl leading-none">
        {now === null ? text.noShare : text.share(now)}
      </strong>
      <span>{text.paid(paid, placed)}</span>
      {now !== null && (
        <span className="text-sm text-muted">
          {before === null ? text.noneBefore : text.before(before)}
        </span>
      )}
    </p>
  );
}

const listOf = ({ from, to }: UnpaidGroup) =>
  `${paths.orders}?${new URLSearchParams({
    state: 'unpaid',
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
  })}`;

/** The groups of the shop, the latest first; it makes as many as there are names. */
function Ages({ unpaid }: { unpaid: readonly UnpaidGroup[] }) {
  const most = Math.max(...unpaid.map(({ orders }) => orders));
  if (!(most > 0)) {
    return <p className="grid min-h-24 place-content-center text-center text-muted">{text.none}</p>;
  }
  return (
    <ul className="grid gap-3">
      {unpaid.map((group, place) => (
        <li key={group.to ?? 'now'} className="grid gap-1">
          <div className="flex flex-wrap items-baseline justify-between gap-x-4">
            <Link to={listOf(group)} className="link-accent inline-flex min-h-7 items-center">
              {text.ages[place]}
              <span className="sr-only">: {text.unpaid(group.orders)}</span>
            </Link>
            <span className="whitespace-nowrap">
              <strong aria-hidden="true">{formatCount(group.orders)}</strong>{' '}
              <span className="text-sm text-muted">{formatMoney(group.total)}</span>
            </span>
          </div>
          <svg aria-hidden="true" width="100%" height="6" className="block">
            <rect width="100%" height="6" className="fill-base-300" />
            <rect width={`${(100 * group.orders) / most}%`} height="6" className="fill-primary" />
          </svg>
        </li>
      ))}
    </ul>
  );
}

/** How many of the orders of these days are paid, and how old all those are that are not. */
export function PaymentFiguresCard({ days }: { days: number }) {
  const answer = useGetPaymentFiguresQuery(days, { refetchOnMountOrArgChange: true });
  return (
    <SectionCard
      id="payments"
      title={text.title}
      note={text.note(days)}
      loading={text.loading}
      failed={text.failed}
      answer={answer}
    >
      {(figures) => (
        <div className="grid gap-6 lg:grid-cols-2">
          <Conversion figures={figures} />
          <div className="grid gap-3">
            <h3 className="text-lg">{text.unpaidTitle}</h3>
            <Ages unpaid={figures.unpaid} />
          </div>
        </div>
      )}
    </SectionCard>
  );
}
