import { Link } from 'react-router-dom';
import { problemOf } from '@/api/problem';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/button';
import { cx } from '@/ui/cx';
import { checkoutMessages } from '../messages';
import type { useCheck } from '../use-check';
import type { CheckoutCheck, TaxShare } from '../wire';

const { summary: text, freight } = checkoutMessages;

interface SumsProps {
  goods: number;
  /** Null where the shop has to say what it is; undefined while it is not known. */
  shipping: number | null | undefined;
  taxes: readonly TaxShare[] | undefined;
  tax: number | null | undefined;
}

const row = 'flex items-baseline justify-between gap-4';

/** Goods, freight, and the tax at each rate. */
export function Sums({ goods, shipping, taxes, tax }: SumsProps) {
  const freightText =
    shipping === undefined
      ? text.later
      : shipping === null
        ? freight.quoted
        : shipping === 0
          ? freight.free
          : formatMoney(shipping);
  const taxText =
    tax === undefined
      ? text.later
      : tax === null
        ? text.withFreight
        : tax === 0
          ? text.noTax
          : formatMoney(tax);
  return (
    <dl className="grid gap-2">
      <div className={row}>
        <dt>{text.goods}</dt>
        <dd className="font-semibold">{formatMoney(goods)}</dd>
      </div>
      <div className={row}>
        <dt>{text.freight}</dt>
        <dd className={shipping === undefined ? 'text-sm text-muted' : 'font-semibold'}>
          {freightText}
        </dd>
      </div>
      {taxes && taxes.length > 0 ? (
        taxes.map(({ name, basisPoints, tax: amount }) => (
          <div key={`${name} ${basisPoints}`} className={row}>
            <dt>{text.taxOf(name, basisPoints)}</dt>
            <dd className="font-semibold">{formatMoney(amount)}</dd>
          </div>
        ))
      ) : (
        <div className={row}>
          <dt>{text.tax}</dt>
          <dd
            className={tax === undefined || tax === null ? 'text-sm text-muted' : 'font-semibold'}
          >
            {taxText}
          </dd>
        </div>
      )}
    </dl>
  );
}

export const dueOf = (check: CheckoutCheck | undefined, goods: number) => check?.due ?? goods;

interface SummaryProps {
  /** Dollars of goods, as the basket has them. */
  goods: number;
  check: ReturnType<typeof useCheck>;
}

/** What it comes to, as the shop reckons it while the form is filled in. */
export function Summary({ goods, check: { data, failure, isUpdating, retry } }: SummaryProps) {
  return (
    <div className="grid gap-4">
      <div className={cx('grid gap-4 transition-opacity', isUpdating && 'opacity-60')}>
        <Sums
          goods={data?.goods ?? goods}
          shipping={data ? data.shipping : undefined}
          taxes={data?.taxes}
          tax={data?.tax}
        />
        <p className={cx(row, 'border-t border-base-300 pt-4')}>
          <span className="font-semibold">
            {!data || data.shipping === null ? text.dueBefore : text.due}
          </span>
          <span className="font-display text-4xl leading-none font-bold">
            {formatMoney(dueOf(data, goods))}
          </span>
        </p>
      </div>
      <p role="status" className="sr-only">
        {isUpdating ? text.updating : ''}
      </p>
      {data?.shipping === null && <p className="text-sm text-info">{freight.quoteHint}</p>}
      {failure && (
        <div role="alert" className="grid gap-2">
          <p className="text-sm font-semibold text-error">
            {text.failed}. {problemOf(failure).message}
          </p>
          <Button variant="outline" onClick={retry}>
            {checkoutMessages.retry}
          </Button>
        </div>
      )}
    </div>
  );
}

export function Agreement() {
  return (
    <p className="text-sm text-muted">
      {text.agree} {/* In a tab of its own: who reads the terms goes on with the order. */}
      <Link className="link-accent" to={paths.terms} target="_blank">
        {text.terms}
      </Link>
      .
    </p>
  );
}
