import { Minus, Plus } from 'lucide-react';
import type { Product } from '@/api/types';
import { formatCount } from '@/lib/money';
import { totalAt } from '@/lib/tiers';
import type { ClampedQuantity } from '@/lib/use-clamped-quantity';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { productMessages as messages } from '../pages/messages';
import { Chip } from './chip';

/** How many units one press adds or takes away. */
const STEP = 10;
const PRESETS = [50, 100, 250];

interface QuantityPickerProps {
  product: Product;
  quantity: ClampedQuantity;
}

/** How many to order: typed, in steps, or one of the usual quantities as far as they can be ordered. */
export function QuantityPicker({ product, quantity }: QuantityPickerProps) {
  const { minOrder, availableQty } = product;
  const set = (units: number) =>
    quantity.change(String(Math.min(Math.max(units, minOrder), availableQty)));
  const presets = PRESETS.filter((units) => units >= minOrder && units <= availableQty);
  return (
    <div className="grid gap-3">
      <Field
        label={messages.quantity}
        hint={messages.rule(minOrder, totalAt(product, minOrder), availableQty)}
      >
        {(fieldProps) => (
          <div className="flex gap-2">
            <Button
              variant="outline"
              aria-label={messages.remove(STEP)}
              disabled={quantity.quantity <= minOrder}
              onClick={() => set(quantity.quantity - STEP)}
            >
              <Minus aria-hidden="true" className="size-5" />
            </Button>
            <input
              {...fieldProps}
              type="number"
              inputMode="numeric"
              min={minOrder}
              max={availableQty}
              step={1}
              className="input min-w-0 flex-1 text-center font-semibold"
              value={quantity.text}
              onChange={(event) => quantity.change(event.target.value)}
              onBlur={quantity.settle}
            />
            <Button
              variant="outline"
              aria-label={messages.add(STEP)}
              disabled={quantity.quantity >= availableQty}
              onClick={() => set(quantity.quantity + STEP)}
            >
              <Plus aria-hidden="true" className="size-5" />
            </Button>
          </div>
        )}
      </Field>
      {presets.length > 0 && (
        <fieldset className="flex flex-wrap gap-2">
          <legend className="sr-only">{messages.usual}</legend>
          {presets.map((units) => (
            <Chip key={units} chosen={quantity.quantity === units} onChoose={() => set(units)}>
              {formatCount(units)}
            </Chip>
          ))}
        </fieldset>
      )}
      <p role="status" className="text-sm font-semibold text-accent">
        {quantity.announcement}
      </p>
    </div>
  );
}
