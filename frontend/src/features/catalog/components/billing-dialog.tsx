import { Formik, type FormikHelpers, useFormikContext } from 'formik';
import { useEffect, useMemo, useRef, useState } from 'react';
import { isRetryable, type Problem, problemOf } from '@/api/problem';
import type { Person, Product } from '@/api/types';
import { useForgetSession } from '@/features/accounts/session/use-session';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { CARD_MAX, formatCount, formatMoney, totalOf } from '@/lib/money';
import { useClampedQuantity } from '@/lib/use-clamped-quantity';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { DialogActions } from '@/ui/dialog-actions';
import { Field } from '@/ui/field';
import { Form, TextAreaField, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { type Purchase, usePlaceOrderMutation } from '../api';
import { type Draft, dropDraft, keepDraft, readDraft } from '../draft';
import { billingSchema } from '../schema';
import {
  dropUnanswered,
  keepUnanswered,
  type ProductOrder,
  readUnanswered,
  type Unanswered,
} from '../unanswered';
import { shortageOf } from './stock-badge';

interface BillingValues {
  name: string;
  phone: string;
  address: string;
}

export interface Placed {
  orderId: string;
  quantity: number;
  total: number;
  /** Whether it may have been placed before this page asked how many are left. */
  repeated: boolean;
}

type Helpers = Pick<FormikHelpers<BillingValues>, 'setErrors' | 'setTouched' | 'resetForm'>;

interface BillingDialogProps {
  product: Product;
  user: Person;
  onClose: () => void;
  onPlaced: (placed: Placed) => void;
}

const SESSION_ENDED =
  'Your session ended before the order was placed, so nothing was ordered. Sign in again: what you typed is kept.';
const WELCOME_BACK =
  'Your session had ended, so nothing was ordered. Here is what you had typed: check it and order again.';
const AGAIN = 'Filled in from your earlier order. Check it, then order.';
const NO_RESPONSE = 'Your order was sent, but no answer came back.';

/** Writes down what is typed as it is typed, since a lost session takes the whole screen away. */
function DraftKeeper({
  productId,
  owner,
  quantity,
}: {
  productId: string;
  owner: string;
  quantity: string;
}) {
  const { values } = useFormikContext<BillingValues>();
  useEffect(() => {
    keepDraft(productId, { ...values, owner, quantity, open: true, origin: 'typed' });
  }, [productId, owner, values, quantity]);
  return null;
}

function OrderError({
  problem,
  product,
  total,
  quantity,
  busy,
}: {
  problem: Problem;
  product: Product;
  total: number;
  quantity: number;
  busy: boolean;
}) {
  const forget = useForgetSession();
  if (problem.status === 401) {
    return (
      <Alert tone="error">
        <p>{SESSION_ENDED}</p>
        <Button variant="outline" className="mt-3" onClick={forget}>
          Sign in again
        </Button>
      </Alert>
    );
  }
  if (problem.slug === 'price-changed') {
    return (
      <Alert tone="error">
        <p>
          The price is now <strong>{formatMoney(product.price)}</strong> a unit, so{' '}
          {formatCount(quantity)} cost <strong>{formatMoney(total)}</strong>. Nothing was ordered
          yet.
        </p>
        <Button type="submit" variant="outline" className="mt-3" busy={busy}>
          Order at {formatMoney(total)}
        </Button>
      </Alert>
    );
  }
  if (problem.slug === 'out-of-stock') {
    const shortage = shortageOf(product);
    return (
      <Alert tone="error">
        {shortage
          ? `${shortage} Nothing was ordered.`
          : `Only ${formatCount(product.availableQty)} are left, so the quantity is set to ${formatCount(quantity)}. Nothing was ordered yet.`}
      </Alert>
    );
  }
  return <Alert tone="error">{problem.message}</Alert>;
}

/** Nobody knows whether the order arrived: says so, and sends that same order again, whatever the form says by now. */
function RetryAlert({
  message,
  order,
  busy,
  onRetry,
}: {
  message: string;
  order: ProductOrder;
  busy: boolean;
  onRetry: () => void;
}) {
  return (
    <Alert tone="error">
      <p>{message}</p>
      <p className="mt-1 text-muted">
        Retry sends the same order again: {formatCount(order.quantity)} for{' '}
        {formatMoney(order.price)}. However often it arrives, it is placed once.
      </p>
      <Button variant="outline" className="mt-3" busy={busy} onClick={onRetry}>
        Retry
      </Button>
    </Alert>
  );
}

/** The purchase form. What is typed survives Esc, a reload and the end of the session, until it is ordered. */
export function BillingDialog({ product, user, onClose, onPlaced }: BillingDialogProps) {
  const first = useRef<HTMLDivElement>(null);
  const quantityInput = useRef<HTMLInputElement>(null);
  const [placeOrder, { isLoading }] = usePlaceOrderMutation();
  const [orderError, setOrderError] = useState<Problem | null>(null);
  const [quantityError, setQuantityError] = useState<string>();
  const [draft] = useState<Draft | null>(() => readDraft(product._id, user.email));
  const [earlier] = useState(() => readUnanswered(product._id, user.email));
  const [noResponse, setNoResponse] = useState<{ sent: Unanswered; message: string } | null>(
    earlier && { sent: earlier, message: NO_RESPONSE },
  );
  const quantity = useClampedQuantity(product.minOrder, product.availableQty, draft?.quantity);
  const total = totalOf(product.price, quantity.quantity);
  const shortage = shortageOf(product);

  const initialValues = useMemo<BillingValues>(
    () => ({
      name: draft?.name ?? user.displayName,
      phone: draft?.phone ?? '',
      address: draft?.address ?? '',
    }),
    [draft, user.displayName],
  );

  // The browser would begin at the cross; a form begins at its first field.
  useEffect(() => first.current?.querySelector('input')?.focus(), []);

  const close = (values: BillingValues) => {
    keepDraft(product._id, {
      ...values,
      owner: user.email,
      quantity: quantity.text,
      open: false,
      origin: 'typed',
    });
    onClose();
  };

  const send = async (order: ProductOrder, { setErrors, setTouched, resetForm }: Helpers) => {
    const known = noResponse?.sent;
    // The same order sent again keeps its key; a changed one takes another.
    const sent =
      known && JSON.stringify(known.order) === JSON.stringify(order)
        ? known
        : { owner: user.email, key: newIdempotencyKey(), since: Date.now(), order };
    const repeated = sent === earlier;
    keepUnanswered(sent);
    setOrderError(null);
    setQuantityError(undefined);
    const purchase: Purchase = { newOrder: order, 'Idempotency-Key': sent.key, repeated };
    const answer = await placeOrder(purchase);
    if (answer.data) {
      dropUnanswered(product._id);
      resetForm();
      quantity.reset();
      dropDraft(product._id);
      const { insertedId: orderId } = answer.data;
      onPlaced({ orderId, quantity: order.quantity, total: order.price, repeated });
      return;
    }

    const problem = problemOf(answer.error);
    if (isRetryable(problem)) {
      setNoResponse({ sent, message: problem.message });
      return;
    }
    // Refused for good: the shop would answer the same key with the same refusal, whatever has changed since.
    dropUnanswered(product._id);
    setNoResponse(null);
    if (problem.status === 401) {
      keepDraft(product._id, {
        name: order.name,
        phone: order.phone,
        address: order.address,
        owner: user.email,
        quantity: String(order.quantity),
        open: true,
        origin: 'interrupted',
      });
      // By now the guard may have taken this form away; the sentence must be seen all the same.
      notify.error(SESSION_ENDED);
    }
    if (problem.slug === 'out-of-stock' && problem.available !== undefined) {
      quantity.change(String(Math.max(problem.available, product.minOrder)));
    }
    const { name, phone, address } = problem.errors;
    const own = Object.fromEntries(
      Object.entries({ name, phone, address }).filter(([, message]) => message !== undefined),
    );
    if (Object.keys(own).length > 0) {
      void setTouched({ name: true, phone: true, address: true }, false);
      setErrors(own);
    }
    setQuantityError(problem.errors.quantity);
    if (problem.errors.quantity && Object.keys(own).length === 0) quantityInput.current?.focus();
    setOrderError(problem);
  };

  const submit = (values: BillingValues, helpers: Helpers) => {
    const units = quantity.settle();
    return send(
      {
        name: values.name.trim(),
        email: user.email,
        quantity: units,
        price: totalOf(product.price, units),
        address: values.address.trim(),
        phone: values.phone.trim(),
        img: product.img,
        productName: product.name,
        category: product.category,
        details: product.description,
        status: 'Pending',
        productId: product._id,
      },
      helpers,
    );
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={billingSchema}
      onSubmit={submit}
    >
      {({ values, setErrors, setTouched, resetForm }) => (
        <Dialog open wide title="Billing Details" onClose={() => close(values)} locked={isLoading}>
          <DraftKeeper productId={product._id} owner={user.email} quantity={quantity.text} />
          <Form className="grid gap-5">
            <p className="-mt-3 text-muted">{product.name}</p>
            {draft && draft.origin !== 'typed' && !orderError && (
              <Alert tone="info">{draft.origin === 'again' ? AGAIN : WELCOME_BACK}</Alert>
            )}
            <div ref={first} className="grid items-start gap-5 sm:grid-cols-2">
              <TextField name="name" label="Name" autoComplete="name" maxLength={120} required />
              <Field label="Email" hint="The address you are signed in with">
                {(fieldProps) => (
                  <input
                    {...fieldProps}
                    type="email"
                    className="input bg-base-200!"
                    value={user.email}
                    readOnly
                  />
                )}
              </Field>
            </div>
            <TextField
              name="phone"
              label="Phone"
              type="tel"
              autoComplete="tel"
              maxLength={40}
              required
            />
            <TextAreaField
              name="address"
              label="Address"
              rows={2}
              autoComplete="street-address"
              maxLength={500}
              required
            />
            <div className="grid grid-cols-2 items-start gap-5">
              <Field
                label="Quantity"
                error={quantityError}
                hint={`${formatCount(product.minOrder)} or more, ${formatCount(product.availableQty)} available`}
              >
                {(fieldProps) => (
                  <input
                    {...fieldProps}
                    ref={quantityInput}
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
                      setQuantityError(undefined);
                      quantity.change(event.target.value);
                    }}
                    onBlur={quantity.settle}
                  />
                )}
              </Field>
              <Field label="Price" hint={`${formatMoney(product.price)} a unit`}>
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
            {total > CARD_MAX && (
              <Alert tone="info">
                A card can pay up to {formatMoney(CARD_MAX)}. We ship this order on account once we
                have approved it, and bill it.
              </Alert>
            )}
            {noResponse && (
              <RetryAlert
                message={noResponse.message}
                order={noResponse.sent.order}
                busy={isLoading}
                onRetry={() => send(noResponse.sent.order, { setErrors, setTouched, resetForm })}
              />
            )}
            {shortage && !orderError && <p className="font-semibold text-error">{shortage}</p>}
            {orderError && Object.keys(orderError.errors).length === 0 && (
              <OrderError
                problem={orderError}
                product={product}
                total={total}
                quantity={quantity.quantity}
                busy={isLoading}
              />
            )}
            {orderError && Object.keys(orderError.errors).length > 0 && (
              <Alert tone="error">{orderError.message}</Alert>
            )}
            <DialogActions>
              <Button variant="outline" onClick={() => close(values)} disabled={isLoading}>
                Cancel
              </Button>
              <Button type="submit" busy={isLoading} disabled={shortage !== null}>
                Order {formatCount(quantity.quantity)} for {formatMoney(total)}
              </Button>
            </DialogActions>
          </Form>
        </Dialog>
      )}
    </Formik>
  );
}
