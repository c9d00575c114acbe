import { Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { number, object, string } from 'yup';
import type { Order } from '@/api/types';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { webLink } from '@/lib/web-link';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { DialogActions } from '@/ui/dialog-actions';
import { DialogButton } from '@/ui/dialog-button';
import { Form, TextField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { useAddShipmentMutation } from '../api';
import { messages } from '../messages';
import type { NewShipment } from '../wire';

const { add: text } = messages;

interface Values {
  quantity: string;
  carrier: string;
  trackingNumber: string;
  trackingUrl: string;
}

const words = (most: number) => string().trim().max(most, text.long(most));

const schemaFor = (left: number) =>
  object({
    quantity: number()
      .typeError(text.quantityWrong)
      .required(text.quantityWrong)
      .integer(text.quantityWrong)
      .min(1, text.quantityWrong)
      .max(left, text.quantityMost(left)),
    carrier: words(60),
    trackingNumber: words(60),
    trackingUrl: words(500).test('link', text.urlWrong, (url) => !url || webLink(url) !== null),
  });

function shipmentOf({ quantity, carrier, trackingNumber, trackingUrl }: Values): NewShipment {
  const typed = { carrier, trackingNumber, trackingUrl };
  const named = Object.entries(typed).flatMap(([name, value]) =>
    value.trim() ? [[name, value.trim()] as const] : [],
  );
  return { quantity: Number(quantity), ...Object.fromEntries(named) };
}

interface AddShipmentProps {
  order: Order;
  /** How many units have not left yet. */
  left: number;
  onDone: (said: string) => void;
}

function ShipDialog({ order, left, onDone, onClose }: AddShipmentProps & { onClose: () => void }) {
  const keys = useIdempotencyKeys();
  const [add] = useAddShipmentMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const shipment = shipmentOf(typed);
    const { _id: id } = order;
    const key = keys.keyFor({ id, ...shipment });
    const { error } = await add({ id, shipment, 'Idempotency-Key': key });
    if (error) {
      setFailure(takeRefusal(error, typed, helpers, keys));
      return;
    }
    keys.finish();
    onClose();
    onDone(text.done(shipment.quantity));
  };
  return (
    <Dialog open title={text.title} onClose={onClose}>
      <Formik<Values>
        validateOnBlur={false}
        initialValues={{
          quantity: String(left),
          carrier: '',
          trackingNumber: '',
          trackingUrl: '',
        }}
        validationSchema={schemaFor(left)}
        onSubmit={submit}
      >
        {({ isSubmitting }) => (
          <Form className="grid gap-5">
            <p>{text.hint(left)}</p>
            <TextField
              name="quantity"
              label={text.quantity}
              inputMode="numeric"
              autoComplete="off"
              required
            />
            <TextField
              name="carrier"
              label={text.carrier}
              hint={text.carrierHint}
              autoComplete="off"
              maxLength={60}
            />
            <TextField
              name="trackingNumber"
              label={text.trackingNumber}
              hint={text.trackingHint}
              autoComplete="off"
              spellCheck={false}
              maxLength={60}
            />
            <TextField
              name="trackingUrl"
              label={text.trackingUrl}
              hint={text.urlHint}
              type="url"
              autoComplete="off"
              spellCheck={false}
              maxLength={500}
            />
            {failure && <Alert tone="error">{failure}</Alert>}
            <DialogActions>
              <Button variant="outline" onClick={onClose} disabled={isSubmitting}>
                {text.cancel}
              </Button>
              <Button type="submit" busy={isSubmitting}>
                {text.save}
              </Button>
            </DialogActions>
          </Form>
        )}
      </Formik>
    </Dialog>
  );
}

/** Ships some of an order's units, with what it takes to follow them. */
export default function AddShipment(props: AddShipmentProps) {
  return (
    <DialogButton label={text.button} context={text.of(props.order.productName)}>
      {(close) => <ShipDialog {...props} onClose={close} />}
    </DialogButton>
  );
}
