import { Formik, type FormikHelpers } from 'formik';
import { useEffect, useMemo, useRef, useState } from 'react';
import { problemOf } from '@/api/problem';
import type { Product } from '@/api/types';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { formatMoney, moneyInput } from '@/lib/money';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { DialogActions } from '@/ui/dialog-actions';
import { DialogButton } from '@/ui/dialog-button';
import { Form, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { takeRefusal } from '@/ui/refusal';
import { useRestockProductMutation } from '../api';
import { messages } from '../messages';
import { restockSchema } from '../schema';

const { restock: text } = messages;

/** Number inputs hold a number or, while there is none in them, an empty text; the price begins as text, with its cents. */
interface RestockValues {
  quantity: number | '';
  price: number | string;
}

const fields: Record<string, string> = { updatedQuantity: 'quantity', updatedPrice: 'price' };

function RestockDialog({ product, onClose }: { product: Product; onClose: () => void }) {
  const first = useRef<HTMLDivElement>(null);
  const keys = useIdempotencyKeys();
  const [restock] = useRestockProductMutation();
  const [failure, setFailure] = useState<string | null>(null);
  // What the admin decides by, whatever another one sets meanwhile.
  const [seenPrice, setSeenPrice] = useState(product.price);
  const initialValues = useMemo<RestockValues>(
    () => ({ quantity: 0, price: moneyInput(product.price) }),
    [product.price],
  );

  // Browsers focus the close button first; a form begins at its first field.
  useEffect(() => {
    const input = first.current?.querySelector('input');
    input?.focus();
    input?.select();
  }, []);

  const submit = async (typed: RestockValues, helpers: FormikHelpers<RestockValues>) => {
    setFailure(null);
    const { quantity, price } = restockSchema.cast(typed);
    const request = { updatedQuantity: quantity, updatedPrice: price, seenPrice };
    const answer = await restock({
      id: product._id,
      restock: request,
      'Idempotency-Key': keys.keyFor(request),
    });
    if (answer.error) {
      const now = problemOf(answer.error).price;
      if (now !== undefined) {
        // Who did not mean to change the price keeps the one that stands.
        if (price === seenPrice) void helpers.setFieldValue('price', moneyInput(now));
        setSeenPrice(now);
      }
      setFailure(takeRefusal(answer.error, typed, helpers, keys, (name) => fields[name] ?? name));
      return;
    }
    keys.finish();
    onClose();
    notify.success(text.done);
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={restockSchema}
      onSubmit={submit}
    >
      {({ values, isSubmitting, isValid }) => (
        <Dialog open title={text.title} onClose={onClose} locked={isSubmitting}>
          <Form className="grid gap-5">
            <p className="-mt-3 text-muted">{product.name}</p>
            <div ref={first} className="grid items-start gap-5 xs:grid-cols-2">
              <TextField
                name="quantity"
                label={text.quantity}
                type="number"
                inputMode="numeric"
                min={0}
                step={1}
                hint={text.quantityHint(product.availableQty)}
                required
              />
              <TextField
                name="price"
                label={text.price}
                type="number"
                inputMode="decimal"
                min={0.01}
                step={0.01}
                hint={text.priceHint}
                required
              />
            </div>
            <p role="status" className="min-h-6 font-semibold">
              {isValid && values.quantity !== '' && values.price !== ''
                ? text.preview(
                    product.availableQty + values.quantity,
                    formatMoney(Number(values.price)),
                  )
                : ''}
            </p>
            {failure && <Alert tone="error">{failure}</Alert>}
            <DialogActions>
              <Button variant="outline" onClick={onClose} disabled={isSubmitting}>
                {messages.cancel}
              </Button>
              <Button type="submit" busy={isSubmitting}>
                {text.submit}
              </Button>
            </DialogActions>
          </Form>
        </Dialog>
      )}
    </Formik>
  );
}

/** The button, and its dialog: units are added to what lies there, the price is replaced. */
export function RestockProduct({ product }: { product: Product }) {
  return (
    <DialogButton label={text.button} context={product.name}>
      {(close) => <RestockDialog product={product} onClose={close} />}
    </DialogButton>
  );
}
