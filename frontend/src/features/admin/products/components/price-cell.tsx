import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { ValidationError } from 'yup';
import { isRetryable, problemOf } from '@/api/problem';
import type { Product } from '@/api/types';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { formatMoney } from '@/lib/money';
import { Button } from '@/ui/button';
import { notify } from '@/ui/notify';
import { useRestockProductMutation } from '../api';
import { messages } from '../messages';
import { priceSchema } from '../schema';

const { price: text } = messages;

interface PriceFormProps {
  product: Product;
  onClose: () => void;
}

function PriceForm({ product, onClose }: PriceFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const errorId = useId();
  const keys = useIdempotencyKeys();
  const [restock, { isLoading }] = useRestockProductMutation();
  // What the admin decides by, whatever another one sets meanwhile.
  const [seenPrice, setSeenPrice] = useState(product.price);
  const [typed, setTyped] = useState(String(product.price));
  const [failure, setFailure] = useState<string | null>(null);

  // It takes the place of the button that was just pressed.
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isLoading) return;
    let price: number;
    try {
      ({ price } = priceSchema.validateSync({ price: typed || undefined }));
    } catch (error) {
      setFailure(error instanceof ValidationError ? error.message : null);
      return;
    }
    if (price === seenPrice) {
      onClose();
      return;
    }
    const request = { updatedQuantity: 0, updatedPrice: price, seenPrice };
    const { error } = await restock({
      id: product._id,
      restock: request,
      'Idempotency-Key': keys.keyFor(request),
    });
    if (error) {
      const problem = problemOf(error);
      if (!isRetryable(problem)) keys.finish();
      if (problem.price !== undefined) setSeenPrice(problem.price);
      setFailure(problem.errors.updatedPrice ?? problem.message);
      return;
    }
    keys.finish();
    onClose();
    notify.success(text.done);
  };

  return (
    <form noValidate onSubmit={submit} className="grid justify-items-end gap-1.5">
      <input
        ref={input}
        type="number"
        inputMode="decimal"
        min={0.01}
        step={0.01}
        className="input"
        aria-label={text.label(product.name)}
        aria-invalid={failure !== null || undefined}
        aria-describedby={errorId}
        value={typed}
        disabled={isLoading}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <p id={errorId} role="alert" className="text-sm text-error">
        {failure}
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button type="submit" busy={isLoading}>
          {text.save}
        </Button>
        <Button variant="ghost" onClick={onClose} disabled={isLoading}>
          {messages.cancel}
        </Button>
      </div>
    </form>
  );
}

/** A price that becomes an input when it is pressed: Enter or Save saves it, Escape or Cancel leaves it as it was. */
export function PriceCell({ product }: { product: Product }) {
  const button = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState(false);
  const wasOpen = useRef(false);

  // The keyboard goes on where it was.
  useEffect(() => {
    if (wasOpen.current && !open && document.activeElement === document.body)
      button.current?.focus();
    wasOpen.current = open;
  }, [open]);

  if (open) return <PriceForm product={product} onClose={() => setOpen(false)} />;
  const shown = formatMoney(product.price);
  return (
    <button
      ref={button}
      type="button"
      className="btn btn-ghost"
      title={text.edit}
      aria-label={text.change(shown, product.name)}
      onClick={() => setOpen(true)}
    >
      {shown}
    </button>
  );
}
