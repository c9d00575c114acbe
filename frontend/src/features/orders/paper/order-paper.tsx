import type { ReactNode } from 'react';
import type { Config, Order } from '@/api/types';
import { formatDay, formatTime } from '@/lib/dates';
import { formatCount, formatMoney } from '@/lib/money';
import { isRefunded, isShipped, orderName } from '../facts';
import { messages } from './messages';
import type { PaperKind } from './use-printing';

const { columns, payment, received } = messages;

function Party({ heading, lines }: { heading: string; lines: readonly (string | null)[] }) {
  return (
    <div className="min-w-0">
      <h2 className="font-sans text-sm font-normal normal-case text-muted">{heading}</h2>
      {lines.map(
        (line, place) =>
          line && (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines of an address have no other name.
            <p key={place} className="whitespace-pre-line">
              {line}
            </p>
          ),
      )}
    </div>
  );
}

/** What is owed, in words. */
function paymentOf(order: Order): string {
  if (order.cancelledAt && !order.paid) return payment.canceled(formatDay(order.cancelledAt));
  if (isRefunded(order)) return payment.refunded;
  if (order.paid) return payment.paid(order.paidAt && formatDay(order.paidAt));
  if (isShipped(order)) return payment.onAccount;
  if (order.reservedUntil) return payment.reserved(formatTime(order.reservedUntil));
  return payment.unpaid;
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-semibold wrap-anywhere">{children}</dd>
    </div>
  );
}

function Dates({ order }: { order: Order }) {
  return (
    <dl className="flex flex-wrap gap-8 border-y border-edge py-3">
      <Fact name={messages.order}>{orderName(order)}</Fact>
      <Fact name={messages.placed}>{formatDay(order.createdAt)}</Fact>
      {order.paidAt && <Fact name={messages.paid}>{formatDay(order.paidAt)}</Fact>}
      {order.shippedAt && <Fact name={messages.shipped}>{formatDay(order.shippedAt)}</Fact>}
    </dl>
  );
}

const cell = 'py-3 pr-3 align-top';
const figure = 'py-3 pl-3 align-top text-right';

/** What was ordered; a delivery note names no price, since whoever unpacks need not know it. */
function Lines({ order, priced }: { order: Order; priced: boolean }) {
  const { partNumber, productName, quantity, unitPrice, price } = order;
  return (
    <table className="w-full border-collapse text-left">
      <thead>
        <tr className="border-b border-edge text-sm text-muted">
          <th className={cell}>{columns.partNumber}</th>
          <th className={cell}>{columns.part}</th>
          <th className={figure}>{columns.quantity}</th>
          {priced && <th className={figure}>{columns.unitPrice}</th>}
          {priced && <th className={figure}>{columns.amount}</th>}
        </tr>
      </thead>
      <tbody>
        <tr className="border-b border-edge">
          <td className={`${cell} whitespace-nowrap`}>{partNumber ?? messages.noPartNumber}</td>
          <td className={cell}>{productName}</td>
          <td className={figure}>{formatCount(quantity)}</td>
          {priced && <td className={figure}>{formatMoney(unitPrice)}</td>}
          {priced && <td className={figure}>{formatMoney(price)}</td>}
        </tr>
        <tr className="text-xl font-semibold">
          <td className={cell} colSpan={priced ? 4 : 2}>
            {priced ? messages.total : messages.units}
          </td>
          <td className={figure}>{priced ? formatMoney(price) : formatCount(quantity)}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Payment({ order }: { order: Order }) {
  return (
    <div>
      <h2 className="font-sans text-sm font-normal normal-case text-muted">{payment.label}</h2>
      <p className="font-semibold">{paymentOf(order)}</p>
      {order.payment && (
        <p>
          {payment.transaction} {order.payment.transactionId}
        </p>
      )}
      <p className="mt-4 text-sm text-muted">{messages.notAnInvoice}</p>
    </div>
  );
}

function Receipt() {
  return (
    <div>
      <p className="font-semibold">{received.heading}</p>
      <div className="mt-12 flex gap-8">
        {[received.name, received.date, received.signature].map((what) => (
          <p key={what} className="flex-1 border-t border-edge pt-2 text-sm text-muted">
            {what}
          </p>
        ))}
      </div>
    </div>
  );
}

interface OrderPaperProps {
  order: Order;
  kind: PaperKind;
  /** Unknown where the settings did not arrive. */
  shop: Config['shop'] | undefined;
}

/** An order on paper, as its summary or as the note that goes with the parts. No screen shows it. */
export function OrderPaper({ order, kind, shop }: OrderPaperProps) {
  return (
    <article className="paper gap-8" aria-label={messages.title[kind]}>
      <header className="flex items-start justify-between gap-8">
        <p className="heading-mark font-display text-4xl leading-none font-bold uppercase">
          {shop?.name ?? messages.brand}
        </p>
        <h1 className="text-4xl">{messages.title[kind]}</h1>
      </header>
      <div className="grid grid-cols-2 gap-8">
        <Party
          heading={messages.to}
          lines={[order.name, order.address, order.phone, order.email]}
        />
        {shop && (
          <Party
            heading={messages.from}
            lines={[shop.company, shop.address, shop.email, shop.phone]}
          />
        )}
      </div>
      <Dates order={order} />
      <Lines order={order} priced={kind === 'summary'} />
      {kind === 'summary' ? <Payment order={order} /> : <Receipt />}
    </article>
  );
}
