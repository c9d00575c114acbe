import { Link } from 'react-router-dom';
import { formatDay } from '@/lib/dates';
import { formatCount } from '@/lib/money';
import { Answered } from '@/ui/answered';
import { Badge } from '@/ui/badge';
import { ButtonLink } from '@/ui/button';
import { type Column, DataTable } from '@/ui/data-table';
import { useListLatestPurchasesOfQuery } from '../../purchases/api';
import { numberOf, sumOf, toneOf } from '../../purchases/facts';
import { messages as purchases } from '../../purchases/messages';
import type { ListedPurchase } from '../../purchases/wire';
import { messages } from '../messages';

const { purchases: text } = messages;
const { columns: headers } = purchases;

const LISTED = '/dashboard/allPurchases';
/** How many of the latest purchases are shown; a link leads to the others. */
const SHOWN = 10;

const columns: readonly Column<ListedPurchase>[] = [
  {
    header: headers.number,
    cell: ({ _id, number, placedAt }) => (
      <>
        <Link
          to={`${LISTED}/${_id}`}
          className="link-accent inline-flex min-h-11 items-center font-semibold"
        >
          {numberOf({ _id, number })}
        </Link>
        <time dateTime={placedAt} className="block text-sm text-muted">
          {formatDay(placedAt)}
        </time>
      </>
    ),
    className: 'whitespace-nowrap',
  },
  {
    header: headers.po,
    cell: ({ poNumber }) => <span className="break-all">{poNumber || purchases.none}</span>,
  },
  { header: headers.lines, cell: ({ standing, lines }) => purchases.linesOf(standing, lines) },
  { header: headers.due, cell: ({ due }) => sumOf(due), numeric: true },
  {
    header: headers.state,
    cell: ({ state }) => <Badge tone={toneOf[state]}>{purchases.states[state]}</Badge>,
  },
];

/** What a customer bought together: the latest purchases, with the way to all of them. */
export function CustomerPurchases({ email, name }: { email: string; name: string }) {
  const answer = useListLatestPurchasesOfQuery(
    { email, limit: SHOWN },
    { refetchOnMountOrArgChange: true },
  );
  return (
    <section aria-labelledby="purchases" className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <h2 id="purchases" className="text-2xl">
        {text.heading}
      </h2>
      <Answered answer={answer} loading={text.loading} failed={text.failed} rows={2}>
        {({ items, total }) =>
          items.length === 0 ? (
            <p className="text-muted">{text.empty}</p>
          ) : (
            <>
              <DataTable
                caption={text.caption(name)}
                columns={columns}
                rows={items}
                rowKey={({ _id }) => _id}
              />
              {total > items.length && (
                <ButtonLink
                  variant="outline"
                  className="justify-self-start"
                  to={`${LISTED}?${new URLSearchParams({ q: email })}`}
                >
                  {text.all(formatCount(total))}
                </ButtonLink>
              )}
            </>
          )
        }
      </Answered>
    </section>
  );
}
