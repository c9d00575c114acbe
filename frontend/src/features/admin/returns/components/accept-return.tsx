import { Formik, type FormikHelpers } from 'formik';
import { boolean, number, object } from 'yup';
import type { Order, OrderReturn } from '@/api/types';
import { dueOf } from '@/features/orders/facts';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { formatMoney, toCents } from '@/lib/money';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Form, TextField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { useFormDialog } from '@/ui/use-form-dialog';
import { useAcceptReturnMutation } from '../api';
import { messages } from '../messages';

const { accept: text } = messages;

interface Values {
  cents: string;
  restock: boolean;
}

const schemaFor = (most: number) =>
  object({
    cents: number()
      .typeError(text.amountNumber)
      .required(text.amountRequired)
      .min(0.01, text.amountTooLow)
      .max(most, text.amountTooHigh(formatMoney(most)))
      .test('cents', text.amountDecimals, (value) =>
        value === undefined ? true : Math.abs(toCents(value) - value * 100) < 0.05,
      ),
    restock: boolean(),
  });

interface AcceptReturnProps {
  order: Order;
  asked: OrderReturn;
  onDone: (said: string) => void;
  /** When a refusal was read: the screen is old. */
  onRefused: () => void;
}

/** Accepts a return: how much is refunded, and whether its units can be sold again. */
export function AcceptReturn({ order, asked, onDone, onRefused }: AcceptReturnProps) {
  const keys = useIdempotencyKeys();
  const [accept] = useAcceptReturnMutation();
  const { open, failure, setFailure, show, close, finish } = useFormDialog(onRefused);
  const worth = (toCents(order.unitPrice) * asked.units) / 100;

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const body = { cents: toCents(Number(typed.cents)), restock: typed.restock };
    const key = keys.keyFor({ id: asked._id, ...body });
    const { error } = await accept({ id: asked._id, acceptance: body, 'Idempotency-Key': key });
    if (error) {
      setFailure(takeRefusal(error, typed, helpers, keys));
      return;
    }
    keys.finish();
    finish();
    onDone(text.done);
  };

  return (
    <>
      <Button aria-haspopup="dialog" onClick={show}>
        {text.button}
        <span className="sr-only"> {text.of(asked.units)}</span>
      </Button>
      <Dialog open={open} title={text.title(asked.units)} onClose={close}>
        <Formik<Values>
          validateOnBlur={false}
          initialValues={{ cents: worth.toFixed(2), restock: false }}
          validationSchema={schemaFor(dueOf(order))}
          onSubmit={submit}
        >
          {({ isSubmitting, getFieldProps }) => (
            <Form className="grid gap-5">
              <p>{text.explain(order.name, formatMoney(worth))}</p>
              <TextField
                name="cents"
                label={text.amount}
                inputMode="decimal"
                autoComplete="off"
                required
              />
              <label className="flex min-h-11 cursor-pointer items-center gap-3">
                <input
                  type="checkbox"
                  {...getFieldProps({ name: 'restock', type: 'checkbox' })}
                  className="checkbox border-edge checked:border-primary checked:bg-primary checked:text-primary-content"
                />
                {text.restock(asked.units)}
              </label>
              {failure && <Alert tone="error">{failure}</Alert>}
              <Button type="submit" busy={isSubmitting} className="justify-self-start">
                {text.send}
              </Button>
            </Form>
          )}
        </Formik>
      </Dialog>
    </>
  );
}
