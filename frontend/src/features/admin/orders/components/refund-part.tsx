import { Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { number, object, string } from 'yup';
import type { Order } from '@/api/types';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { formatMoney, toCents } from '@/lib/money';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { DialogButton } from '@/ui/dialog-button';
import { Form, TextField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { useRefundOrderMutation } from '../api';
import { messages } from '../messages';

const { partialRefund: text } = messages;

interface Values {
  cents: string;
  reason: string;
}

const schemaFor = (price: number) =>
  object({
    cents: number()
      .typeError(text.amountNumber)
      .required(text.amountRequired)
      .min(0.01, text.amountTooLow)
      .max(price, text.amountTooHigh(formatMoney(price)))
      .test('cents', text.amountDecimals, (value) =>
        value === undefined ? true : Math.abs(toCents(value) - value * 100) < 0.05,
      ),
    reason: string().trim().max(500, text.reasonTooLong),
  });

interface RefundPartProps {
  order: Order;
  onDone: () => void;
}

function RefundPartDialog({ order, onClose, onDone }: RefundPartProps & { onClose: () => void }) {
  const keys = useIdempotencyKeys();
  const [refund] = useRefundOrderMutation();
  const [failure, setFailure] = useState<string | null>(null);

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const reason = typed.reason.trim();
    const body = { cents: toCents(Number(typed.cents)), ...(reason && { reason }) };
    const key = keys.keyFor({ id: order._id, ...body });
    const { error } = await refund({ id: order._id, body, 'Idempotency-Key': key });
    if (error) {
      setFailure(takeRefusal(error, typed, helpers, keys));
      return;
    }
    keys.finish();
    onClose();
    onDone();
  };

  return (
    <Dialog open title={text.button} onClose={onClose}>
      <Formik<Values>
        validateOnBlur={false}
        initialValues={{ cents: '', reason: '' }}
        validationSchema={schemaFor(order.price)}
        onSubmit={submit}
      >
        {({ isSubmitting }) => (
          <Form className="grid gap-5">
            <p>{text.explain(order.name, formatMoney(order.price))}</p>
            <TextField
              name="cents"
              label={text.amount}
              inputMode="decimal"
              autoComplete="off"
              required
            />
            <TextField name="reason" label={text.reason} hint={text.reasonHint} />
            {failure && <Alert tone="error">{failure}</Alert>}
            <Button type="submit" busy={isSubmitting} className="justify-self-start">
              {text.send}
            </Button>
          </Form>
        )}
      </Formik>
    </Dialog>
  );
}

/** Sends some of a paid order's money back; the order stays as it is. */
export function RefundPart({ order, onDone }: RefundPartProps) {
  return (
    <DialogButton label={text.button} context={text.of(order.productName)}>
      {(close) => <RefundPartDialog order={order} onClose={close} onDone={onDone} />}
    </DialogButton>
  );
}
