import type { Product } from '@/api/types';
import { AddToOrder } from '@/features/basket/components/add-to-order';
import { PriceLadder, SavingOffer } from '@/features/pricing/components/price-ladder';
import { messages as pricing } from '@/features/pricing/messages';
import { formatBigMoney, formatMoney } from '@/lib/money';
import { totalAt, unitPriceAt } from '@/lib/tiers';
import type { ClampedQuantity } from '@/lib/use-clamped-quantity';
import { Button } from '@/ui/button';
import { productMessages as messages } from '../pages/messages';
import { QuantityPicker } from './quantity-picker';
import { StockBadge, shortageOf } from './stock-badge';

interface BuyBoxProps {
  product: Product;
  quantity: ClampedQuantity;
  /** What the list says of a unit at a quantity, where that is more than it costs here. */
  listAt: (quantity: number) => number | null;
  /** Somebody reaches for the button. */
  onReach: () => void;
  onPurchase: () => void;
}

/** What it costs, whether there is enough of it, how many to order, and the button that does. */
export function BuyBox({ product, quantity, listAt, onReach, onPurchase }: BuyBoxProps) {
  const shortage = shortageOf(product);
  const units = quantity.quantity;
  const list = listAt(units);
  return (
    <section aria-label={messages.buy} className="card-surface grid gap-4 p-4">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <p>
          <span className="block text-sm text-muted">
            {list === null ? messages.price : pricing.yourPrice}
          </span>
          <span className="font-display text-5xl leading-none font-bold">
            {formatBigMoney(unitPriceAt(product, units))}
          </span>{' '}
          <span className="text-muted">{messages.each}</span>
          {list !== null && (
            <span className="block text-sm text-muted">{pricing.listPrice(list)}</span>
          )}
        </p>
        <StockBadge product={product} />
      </div>
      {shortage ? (
        <>
          <Button className="btn-lg w-full" disabled aria-describedby="shortage">
            {product.availableQty === 0 ? messages.soldOut : messages.notEnough}
          </Button>
          <p id="shortage" className="font-semibold text-error">
            {shortage}
          </p>
        </>
      ) : (
        <>
          <QuantityPicker product={product} quantity={quantity} />
          <SavingOffer
            product={product}
            quantity={units}
            onChoose={(chosen) => quantity.change(String(chosen))}
          />
          <div className="sticky bottom-0 z-1 -mx-4 grid gap-3 border-t border-base-300 bg-surface px-4 py-3">
            <p className="flex items-baseline justify-between gap-4">
              <span className="text-muted">{messages.total}</span>
              <span className="text-2xl font-semibold">{formatMoney(totalAt(product, units))}</span>
            </p>
            <div className="flex gap-3">
              <Button
                data-commands
                className="btn-lg flex-1"
                onClick={onPurchase}
                onPointerEnter={onReach}
                onFocus={onReach}
                onTouchStart={onReach}
                aria-haspopup="dialog"
              >
                {messages.purchase}
              </Button>
              <AddToOrder
                product={product}
                quantity={quantity.quantity}
                className="btn-lg flex-1"
              />
            </div>
          </div>
          <PriceLadder product={product} quantity={units} personal={list !== null} />
        </>
      )}
    </section>
  );
}
