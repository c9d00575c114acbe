import { CircleAlert } from 'lucide-react';
import { Link } from 'react-router-dom';
import { type BasketLine, useBasketChanges } from '@/features/basket/use-basket';
import { buyingPaths } from '@/lib/buying-paths';
import { formatMoney } from '@/lib/money';
import { lazyRow } from '@/ui/lazy-row';
import { ProductPicture } from '@/ui/product-picture';
import { checkoutMessages } from '../messages';
import type { CheckoutCheck, RefusedLine } from '../wire';

const { lines: text } = checkoutMessages;

const small = 'btn btn-outline';

/** What is said of a line that cannot be bought as it is, and the ways out of that. */
function Refusal({ line, refused }: { line: BasketLine; refused: RefusedLine }) {
  const changes = useBasketChanges();
  const { productId, minOrder, quantity } = line;
  const { available, minOrder: least, price, replacedBy } = refused;
  const left = typeof available === 'number' && available >= minOrder && available < quantity;
  return (
    <div data-refused tabIndex={-1} className="grid gap-2 rounded-field border border-error p-3">
      <p className="flex gap-2 text-sm font-semibold text-error">
        <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        {refused.message}
      </p>
      <div className="flex flex-wrap gap-2">
        {typeof price === 'number' && (
          <button
            type="button"
            className={small}
            onClick={() => void changes.acceptPrice(productId, price)}
          >
            {text.acceptPrice(price)}
          </button>
        )}
        {left && (
          <button
            type="button"
            className={small}
            onClick={() => void changes.setQuantity(productId, available)}
          >
            {text.lowerTo(available)}
          </button>
        )}
        {typeof least === 'number' && least > quantity && (
          <button
            type="button"
            className={small}
            onClick={() => void changes.setQuantity(productId, least)}
          >
            {text.raiseTo(least)}
          </button>
        )}
        {replacedBy && (
          <button
            type="button"
            className={small}
            onClick={() => void changes.replace(productId, replacedBy)}
          >
            {text.takeReplacement}
          </button>
        )}
        <button type="button" className={small} onClick={() => void changes.remove([productId])}>
          {text.remove} <span className="sr-only">{line.name}</span>
        </button>
      </div>
    </div>
  );
}

/** The refusal of the line at this place of what was sent. */
export function refusalOf(
  check: Pick<CheckoutCheck, 'refused'> | undefined,
  productId: string,
  place: number,
): RefusedLine | undefined {
  return check?.refused.find((refused) =>
    refused.productId ? refused.productId === productId : refused.line === place + 1,
  );
}

interface CheckoutLinesProps {
  lines: readonly BasketLine[];
  check: CheckoutCheck | undefined;
}

/** What is about to be bought, each line with what the shop says of it. */
export function CheckoutLines({ lines, check }: CheckoutLinesProps) {
  const priced = new Map(check?.lines.map((line) => [line.productId, line]));
  return (
    <>
      <ul aria-label={text.heading} className="divide-y divide-base-300">
        {lines.map((line, place) => {
          const { productId, name, partNumber, img, quantity } = line;
          const now = priced.get(productId);
          const unit = now?.unit ?? line.unit;
          const total = now?.price ?? line.total;
          const refused = refusalOf(check, productId, place);
          return (
            <li key={productId} style={lazyRow} className="grid gap-2 py-3">
              <div className="flex items-start gap-3">
                <div className="w-16 shrink-0">
                  <ProductPicture img={img} alt="" sizes="64px" className="rounded-field" />
                </div>
                <div className="min-w-0 flex-1">
                  <p className="leading-tight font-semibold wrap-anywhere">{name}</p>
                  <p className="text-sm text-muted">
                    {partNumber && <>{partNumber} · </>}
                    {text.quantity(quantity, unit === null ? '–' : formatMoney(unit))}
                  </p>
                </div>
                <p className="font-semibold">{total === null ? '–' : formatMoney(total)}</p>
              </div>
              {refused && <Refusal line={line} refused={refused} />}
            </li>
          );
        })}
      </ul>
      <Link
        to={buyingPaths.basket}
        className="link-accent inline-flex min-h-11 items-center justify-self-start"
      >
        {text.edit}
      </Link>
    </>
  );
}
