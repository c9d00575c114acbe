import { useFormikContext } from 'formik';
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import type { Product } from '@/api/types';
import { formatMoney } from '@/lib/money';
import { unitPriceAt } from '@/lib/tiers';
import { Field } from '@/ui/field';
import { TextAreaField, TextField } from '@/ui/form';
import { doubtAddress, doubtPhone } from '../doubts';
import { billingMessages } from '../pages/messages';
import type { BillingValues, Purchase } from '../use-purchase';

/** A hint that looks like a warning: it stops nobody. */
function Doubt({ children }: { children: string }) {
  return <span className="font-semibold text-warning">{children}</span>;
}

/** Who orders, and where it goes. */
export function BillingFields({ email }: { email: string }) {
  const first = useRef<HTMLDivElement>(null);
  const { values, touched } = useFormikContext<BillingValues>();

  // Browsers focus the close button first; a form begins at its first field.
  useEffect(() => first.current?.querySelector('input')?.focus(), []);

  return (
    <>
      <div ref={first} className="grid items-start gap-5 sm:grid-cols-2">
        <TextField
          name="name"
          label={billingMessages.name}
          autoComplete="name"
          maxLength={120}
          required
        />
        <Field label={billingMessages.email} hint={billingMessages.emailHint}>
          {(fieldProps) => (
            <input
              {...fieldProps}
              type="email"
              className="input bg-base-200!"
              value={email}
              readOnly
            />
          )}
        </Field>
      </div>
      <TextField
        name="phone"
        label={billingMessages.phone}
        type="tel"
        hint={
          touched.phone && doubtPhone(values.phone) && <Doubt>{billingMessages.phoneDoubt}</Doubt>
        }
        autoComplete="tel"
        maxLength={40}
        required
      />
      <TextAreaField
        name="address"
        label={billingMessages.address}
        rows={2}
        hint={
          touched.address &&
          doubtAddress(values.address) && <Doubt>{billingMessages.addressDoubt}</Doubt>
        }
        autoComplete="street-address"
        maxLength={500}
        required
      />
    </>
  );
}

/** How many, and what they cost: the price follows the quantity. */
export function QuantityFields({
  product,
  purchase: { quantity, total },
  error,
  input,
  onType,
}: {
  product: Product;
  purchase: Purchase;
  /** The server's message about the quantity. */
  error: string | undefined;
  input: Ref<HTMLInputElement>;
  onType: () => void;
}): ReactNode {
  return (
    <>
      <div className="grid grid-cols-2 items-start gap-5">
        <Field
          label={billingMessages.quantity}
          error={error}
          hint={billingMessages.quantityRule(product.minOrder, product.availableQty)}
        >
          {(fieldProps) => (
            <input
              {...fieldProps}
              ref={input}
              name="quantity"
              type="number"
              inputMode="numeric"
              min={product.minOrder}
              max={product.availableQty}
              step={1}
              required
              className="input"
              value={quantity.text}
              onChange={(event) => {
                onType();
                quantity.change(event.target.value);
              }}
              onBlur={quantity.settle}
            />
          )}
        </Field>
        <Field
          label={billingMessages.price}
          hint={billingMessages.each(unitPriceAt(product, quantity.quantity))}
        >
          {(fieldProps) => (
            <input
              {...fieldProps}
              name="price"
              className="input font-semibold"
              value={formatMoney(total)}
              disabled
            />
          )}
        </Field>
      </div>
      <p role="status" className="-mt-3 min-h-6 text-sm font-semibold text-accent">
        {quantity.announcement}
      </p>
    </>
  );
}
