import { Trash2 } from 'lucide-react';
import { memo, useId } from 'react';
import { Link } from 'react-router-dom';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { cx } from '@/ui/cx';
import { lazyRow } from '@/ui/lazy-row';
import { ProductPicture } from '@/ui/product-picture';
import { basketMessages as messages } from '../messages';
import { type BasketLine, useBasketChanges, useRemoveLines } from '../use-basket';
import { LineProblem } from './line-problem';
import { QuantityStepper } from './quantity-stepper';

interface LineProps {
  line: BasketLine;
  /** In the drawer, which is as narrow as a phone on every screen. */
  narrow: boolean;
  onQuantity: (id: string, quantity: number) => void;
  onRemove: (id: string) => void;
}

const Line = memo(function Line({ line, narrow, onQuantity, onRemove }: LineProps) {
  const { productId, name, partNumber, img, unit, total, quantity, minOrder, available } = line;
  const id = useId();
  const isShort = available < minOrder;
  return (
    <li style={lazyRow} className="grid grid-cols-[minmax(0,1fr)] gap-3 py-4">
      <div className="flex gap-4">
        <div className="w-16 shrink-0">
          <ProductPicture img={img} alt="" sizes="64px" className="rounded-field" />
        </div>
        <div className="flex min-w-0 flex-1 flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <div className={cx('min-w-0 flex-1', narrow ? 'basis-64' : 'basis-60')}>
            <h3 className="text-lg leading-tight normal-case">
              <Link to={paths.product(productId)} className="hover:text-accent hover:underline">
                {name}
              </Link>
            </h3>
            <p className="text-sm text-muted">
              {partNumber && (
                <>
                  <span className="sr-only">{messages.partNumber} </span>
                  <span className="font-semibold text-base-content">{partNumber}</span>
                  {' · '}
                </>
              )}
              {unit === null ? messages.noPrice : messages.each(unit)}
            </p>
          </div>
          {!isShort && (
            <QuantityStepper
              name={name}
              value={quantity}
              min={minOrder}
              max={available}
              describedBy={line.status === 'ok' ? undefined : `${id}-problem`}
              onChange={(units) => onQuantity(productId, units)}
            />
          )}
          <div className="grid min-w-0 justify-items-end md:min-w-28">
            <p className="flex min-h-11 items-center text-lg font-semibold">
              {total === null ? '–' : formatMoney(total)}
            </p>
            <button
              type="button"
              className="inline-flex min-h-11 cursor-pointer items-center gap-1.5 text-sm text-muted hover:text-accent"
              onClick={() => onRemove(productId)}
            >
              <Trash2 aria-hidden="true" className="size-4" />
              {messages.remove} <span className="sr-only">{name}</span>
            </button>
          </div>
        </div>
      </div>
      <LineProblem line={line} id={`${id}-problem`} />
    </li>
  );
});

/** The basket's lines, each with its price, its quantity and what is in its way. */
export function BasketLines({
  lines,
  narrow = false,
}: {
  lines: readonly BasketLine[];
  narrow?: boolean;
}) {
  const changes = useBasketChanges();
  const remove = useRemoveLines(lines);
  return (
    <ul aria-label={messages.lines} className="divide-y divide-base-300">
      {lines.map((line) => (
        <Line
          key={line.productId}
          line={line}
          narrow={narrow}
          onQuantity={changes.setQuantity}
          onRemove={(id) => void remove([id])}
        />
      ))}
    </ul>
  );
}
