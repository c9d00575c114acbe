import { Check, ShoppingCart } from 'lucide-react';
import { useState } from 'react';
import type { Product } from '@/api/types';
import { stockLevel } from '@/lib/stock';
import { unitPriceAt } from '@/lib/tiers';
import { Button } from '@/ui/button';
import { cx } from '@/ui/cx';
import { basketMessages as messages } from '../messages';
import { useAddToBasket } from '../use-basket';

interface AddToOrderProps {
  product: Product;
  quantity: number;
  /** Where there is room for the icon alone. */
  short?: boolean;
  className?: string;
}

/** Puts units of a part into the basket. */
export function AddToOrder({ product, quantity, short = false, className }: AddToOrderProps) {
  const add = useAddToBasket();
  const [busy, setBusy] = useState(false);
  const [done, setDone] = useState(false);
  if (stockLevel(product) === 'short') return null;
  const put = async () => {
    setBusy(true);
    const { _id, name, partNumber, img, minOrder, availableQty } = product;
    const added = await add([
      {
        productId: _id,
        quantity,
        unit: unitPriceAt(product, quantity),
        name,
        partNumber,
        img,
        minOrder,
        available: availableQty,
      },
    ]);
    setBusy(false);
    setDone(added);
  };
  const Icon = done ? Check : ShoppingCart;
  return (
    <Button
      variant="outline"
      className={cx(short && 'btn-square', className)}
      busy={busy}
      onClick={() => void put()}
      title={short ? messages.addOf(quantity, product.name) : undefined}
      aria-label={short ? messages.addOf(quantity, product.name) : undefined}
      {...(short ? {} : { 'data-commands': true })}
    >
      {!(busy && short) && <Icon aria-hidden="true" className="size-5" />}
      {!short && messages.add}
    </Button>
  );
}
