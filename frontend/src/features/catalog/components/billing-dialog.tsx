import { Formik, type FormikHelpers, useFormikContext } from 'formik';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Person, Product } from '@/api/types';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { DialogActions } from '@/ui/dialog-actions';
import { Form } from '@/ui/form';
import { keepDraft } from '../draft';
import { billingMessages } from '../pages/messages';
import { billingSchema } from '../schema';
import { type BillingValues, type Placed, usePurchase, type VehicleOfOrder } from '../use-purchase';
import { Prefill } from './prefill';
import { DraftNotice, PurchaseAlerts } from './purchase-alerts';
import { BillingFields, QuantityFields } from './purchase-form';
import { shortageOf } from './stock-badge';

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

type Helpers = Pick<FormikHelpers<BillingValues>, 'setErrors' | 'setTouched'>;

interface BillingDialogProps {
  product: Product;
  user: Person;
  /** The quantity that was chosen before; without it the form goes on with its draft's. */
  chosen?: string | undefined;
  /** The vehicle that it is for, if one was chosen. */
  vehicle?: VehicleOfOrder | undefined;
  /** With the quantity as it was typed. */
  onClose: (quantity: string) => void;
  /** The order is placed: the dialog has to go away. */
  onPlaced: (placed: Placed) => void;
}

/** The purchase form in its dialog. */
export function BillingDialog({
  product,
  user,
  chosen,
  vehicle,
  onClose,
  onPlaced,
}: BillingDialogProps) {
  const quantityInput = useRef<HTMLInputElement>(null);
  const [quantityError, setQuantityError] = useState<string>();
  const purchase = usePurchase(product, user, onPlaced, chosen, vehicle);
  const { draft, isLoading, quantity, total } = purchase;

  const initialValues = useMemo<BillingValues>(
    () => ({
      name: draft?.name ?? user.displayName,
      phone: draft?.phone ?? '',
      address: draft?.address ?? '',
    }),
    [draft, user.displayName],
  );

  const close = (values: BillingValues) => {
    purchase.keep(values);
    onClose(quantity.text);
  };

  const send = async (
    sending: Promise<Record<string, string>>,
    { setErrors, setTouched }: Helpers,
  ) => {
    setQuantityError(undefined);
    const { quantity: atQuantity, ...errors } = await sending;
    const own = Object.fromEntries(
      Object.entries(errors).filter(([field]) => field in initialValues),
    );
    if (Object.keys(own).length > 0) {
      void setTouched({ name: true, phone: true, address: true }, false);
      setErrors(own);
    } else if (atQuantity) {
      quantityInput.current?.focus();
    }
    setQuantityError(atQuantity);
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={billingSchema}
      onSubmit={(values, helpers) => send(purchase.order(values), helpers)}
    >
      {({ values, ...helpers }) => (
        <Dialog
          open
          wide
          title={billingMessages.title}
          onClose={() => close(values)}
          locked={isLoading}
        >
          <DraftKeeper productId={product._id} owner={user.email} quantity={quantity.text} />
          <Form className="grid gap-5">
            <p className="-mt-3 text-muted">{product.name}</p>
            <DraftNotice draft={draft} problem={purchase.problem} />
            <Prefill user={user} />
            <BillingFields email={user.email} />
            <QuantityFields
              product={product}
              purchase={purchase}
              error={quantityError}
              input={quantityInput}
              onType={() => setQuantityError(undefined)}
            />
            <PurchaseAlerts product={product} purchase={purchase} />
            <p className="text-sm text-muted">
              {billingMessages.agree}{' '}
              {/* In a tab of its own: who reads the terms goes on with the order. */}
              <Link className="link-accent" to={paths.terms} target="_blank">
                {billingMessages.terms}
              </Link>
              .
            </p>
            <DialogActions>
              <Button variant="outline" onClick={() => close(values)} disabled={isLoading}>
                {billingMessages.cancel}
              </Button>
              {purchase.noResponse ? (
                // In place of the other: until it is known what became of the order, there is nothing else to do.
                <Button busy={isLoading} onClick={() => void send(purchase.retry(), helpers)}>
                  {billingMessages.retry}
                </Button>
              ) : (
                <Button type="submit" busy={isLoading} disabled={shortageOf(product) !== null}>
                  {billingMessages.order(quantity.quantity, total)}
                </Button>
              )}
            </DialogActions>
          </Form>
        </Dialog>
      )}
    </Formik>
  );
}
