import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router-dom';
import { hasStatus } from '@/api/problem';
import { useListCountriesQuery } from '@/features/addresses/api';
import { addressLines } from '@/features/addresses/format';
import type { PurchaseLine } from '@/features/checkout/wire';
import { DocumentButton } from '@/features/documents/components/document-button';
import { DocumentList } from '@/features/documents/components/document-list';
import { messages as documents } from '@/features/documents/messages';
import { OrderFacts } from '@/features/orders/components/order-facts';
import { formatTime } from '@/lib/dates';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { Answered } from '@/ui/answered';
import { Badge } from '@/ui/badge';
import { ButtonLink } from '@/ui/button';
import { type Column, DataTable } from '@/ui/data-table';
import { Empty } from '@/ui/empty';
import { useGetPurchaseAsAdminQuery } from '../api';
import { SetFreight } from '../components/set-freight';
import { ShipLines } from '../components/ship-lines';
import { lineState, lineTone, numberOf, sumOf, toneOf } from '../facts';
import { messages } from '../messages';
import type { AnyPurchase } from '../wire';

const panel = 'card-surface grid grid-cols-[minmax(0,1fr)] content-start gap-5 p-4 sm:p-6';
const LIST = '/dashboard/allPurchases';

const { lineColumns: headers } = messages;

const columns: readonly Column<PurchaseLine>[] = [
  { header: headers.line, cell: ({ line }) => line },
  {
    header: headers.part,
    cell: ({ orderId, name, partNumber }) => (
      <>
        <Link
          to={paths.order(orderId)}
          className="link-accent inline-flex min-h-11 items-center wrap-anywhere"
        >
          {name}
        </Link>
        {partNumber && <span className="block text-sm text-muted">{partNumber}</span>}
      </>
    ),
  },
  { header: headers.quantity, cell: ({ quantity }) => formatCount(quantity), numeric: true },
  { header: headers.unit, cell: ({ unit }) => formatMoney(unit), numeric: true },
  { header: headers.price, cell: ({ price }) => formatMoney(price), numeric: true },
  {
    header: headers.state,
    cell: (line) => {
      const state = lineState(line);
      return (
        <span className="grid justify-items-start gap-1">
          <Badge tone={lineTone[state]}>{messages.lineStates[state]}</Badge>
          {line.refunded ? (
            <span className="text-sm text-muted">{messages.refunded(line.refunded)}</span>
          ) : null}
        </span>
      );
    },
  },
];

const percent = (basisPoints: number) =>
  `${(basisPoints / 100).toLocaleString('en-US', { maximumFractionDigits: 2 })}%`;

function Facts({ purchase }: { purchase: AnyPurchase }) {
  const { data: countries = [] } = useListCountriesQuery();
  const { contact, address, poNumber, note, terms, placedAt, reservedUntil } = purchase;
  const { shippingMethod: method } = purchase;
  return (
    <section aria-label={messages.facts} className={panel}>
      <OrderFacts
        facts={[
          { name: messages.poNumber, value: poNumber || messages.none },
          { name: messages.placed, value: formatTime(placedAt) },
          { name: messages.contact, value: contact.name },
          { name: messages.phone, value: contact.phone },
          {
            name: messages.email,
            value: (
              <Link to={paths.customer(contact.email)} className="link-accent break-all">
                {contact.email}
              </Link>
            ),
            long: true,
          },
          {
            name: messages.address,
            value: addressLines(address, countries).join('\n'),
            long: true,
            text: true,
          },
          { name: messages.terms, value: messages.termsOf[terms] ?? terms },
          ...(method ? [{ name: messages.method, value: method }] : []),
          ...(reservedUntil
            ? [{ name: messages.reserved, value: formatTime(reservedUntil), long: true }]
            : []),
          ...(note ? [{ name: messages.note, value: note, long: true, text: true }] : []),
        ]}
      />
    </section>
  );
}

function Sums({ purchase }: { purchase: AnyPurchase }) {
  const { goods, shipping, taxes, tax, due } = purchase;
  const rows: [string, string][] = [
    [messages.goods, formatMoney(goods)],
    [messages.shipping, sumOf(shipping)],
    ...(taxes.length > 0
      ? taxes.map((each): [string, string] => [
          messages.taxOf(each.name, percent(each.basisPoints)),
          formatMoney(each.tax),
        ])
      : [[messages.tax, sumOf(tax)] satisfies [string, string]]),
  ];
  return (
    <section aria-labelledby="sums" className={panel}>
      <h2 id="sums" className="text-2xl">
        {messages.sums}
      </h2>
      <dl className="grid gap-2">
        {rows.map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4">
            <dt className="text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div className="flex justify-between gap-4 border-t border-base-300 pt-2 text-xl font-semibold">
          <dt>{messages.due}</dt>
          <dd>{sumOf(due)}</dd>
        </div>
      </dl>
    </section>
  );
}

function Documents({ purchase }: { purchase: AnyPurchase }) {
  const url = `/checkouts/${encodeURIComponent(purchase._id)}`;
  const context = messages.name(numberOf(purchase));
  return (
    <section aria-labelledby="documents" className={panel}>
      <h2 id="documents" className="text-2xl">
        {messages.documents}
      </h2>
      <DocumentList documents={purchase.invoices} />
      <div className="flex flex-wrap gap-2">
        <DocumentButton
          url={`${url}/packing-slip.pdf`}
          label={documents.packingSlip}
          context={context}
        />
        <DocumentButton
          url={`${url}/confirmation.pdf`}
          label={documents.confirmation}
          context={context}
        />
      </div>
    </section>
  );
}

function Detail({ purchase }: { purchase: AnyPurchase }) {
  const { _id: id, state } = purchase;
  return (
    <>
      <header className="mb-8 grid justify-items-start gap-3">
        <h1 className="heading-mark text-4xl sm:text-5xl">{messages.name(numberOf(purchase))}</h1>
        <Badge tone={toneOf[state]}>{messages.states[state]}</Badge>
        <div data-commands className="empty:hidden">
          <ShipLines purchase={purchase} />
        </div>
      </header>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          {state === 'waiting' && <SetFreight id={id} />}
          <DataTable
            caption={messages.lineCaption}
            columns={columns}
            rows={purchase.lines}
            rowKey={({ orderId }) => orderId}
          />
          <Documents purchase={purchase} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <Sums purchase={purchase} />
          <Facts purchase={purchase} />
        </div>
      </div>
    </>
  );
}

/** One purchase with its lines, for admins. */
export default function PurchasePage() {
  const { purchaseId: id = '' } = useParams();
  const answer = useGetPurchaseAsAdminQuery(id, { refetchOnMountOrArgChange: true });
  const { currentData, error, isError, isFetching } = answer;
  usePageTitle(currentData ? messages.name(numberOf(currentData)) : messages.heading);
  const gone = isError && !isFetching && hasStatus(error, 404);
  return (
    <>
      <Link
        to={LIST}
        className="mb-4 inline-flex min-h-11 items-center gap-2 text-muted hover:text-base-content hover:underline print:hidden"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {messages.back}
      </Link>
      {!currentData && (
        <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{messages.heading}</h1>
      )}
      {gone ? (
        <Empty
          title={messages.notFound}
          action={<ButtonLink to={LIST}>{messages.back}</ButtonLink>}
        >
          {messages.notFoundHint}
        </Empty>
      ) : (
        <Answered
          answer={{ ...answer, data: currentData }}
          loading={messages.oneLoading}
          failed={messages.oneFailed}
        >
          {(purchase) => <Detail purchase={purchase} />}
        </Answered>
      )}
    </>
  );
}
