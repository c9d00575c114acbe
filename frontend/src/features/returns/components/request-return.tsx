import { Formik, type FormikHelpers } from 'formik';
import { number, object, string } from 'yup';
import type { Order, ReturnReason } from '@/api/types';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Form, SelectField, TextAreaField, TextField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { useFormDialog } from '@/ui/use-form-dialog';
import { useRequestReturnMutation } from '../api';
import { messages } from '../messages';

const { request: text } = messages;

interface Values {
  reason: ReturnReason | '';
  units: string;
  details: string;
}

const schemaFor = (most: number) =>
  object({
    reason: string().required(text.reasonRequired),
    units: number()
      .typeError(text.unitsNumber)
      .required(text.unitsRequired)
      .integer(text.unitsNumber)
      .min(1, text.unitsTooFew)
      .max(most, text.unitsTooMany(most)),
    details: string().trim().max(1000, text.detailsTooLong),
  });

const options = [
  { value: '', label: text.choose },
  ...Object.entries(messages.reasons).map(([value, label]) => ({ value, label })),
];

interface RequestReturnProps {
  order: Order;
  /** How many units have not come back yet. */
  most: number;
  onDone: (said: string) => void;
  /** When a refusal was read: the screen is old. */
  onRefused: () => void;
}

/** Asks for a return of some or all units. */
export function RequestReturn({ order, most, onDone, onRefused }: RequestReturnProps) {
  const keys = useIdempotencyKeys();
  const [request] = useRequestReturnMutation();
  const { open, failure, setFailure, show, close, finish } = useFormDialog(onRefused);

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    if (typed.reason === '') return;
    setFailure(null);
    const details = typed.details.trim();
    const units = Number(typed.units);
    const body = { reason: typed.reason, units, ...(details && { details }) };
    const key = keys.keyFor({ id: order._id, ...body });
    const { error } = await request({ id: order._id, newReturn: body, 'Idempotency-Key': key });
    if (error) {
      setFailure(takeRefusal(error, typed, helpers, keys));
      return;
    }
    keys.finish();
    finish();
    onDone(text.done(units));
  };

  return (
    <>
      <Button
        variant="outline"
        aria-haspopup="dialog"
        className="justify-self-start"
        onClick={show}
      >
        {text.button}
        <span className="sr-only"> {text.of(order.productName)}</span>
      </Button>
      <Dialog open={open} title={text.title} onClose={close}>
        <Formik<Values>
          validateOnBlur={false}
          initialValues={{ reason: '', units: String(most), details: '' }}
          validationSchema={schemaFor(most)}
          onSubmit={submit}
        >
          {({ isSubmitting }) => (
            <Form className="grid gap-5">
              <SelectField name="reason" label={text.reason} options={options} required />
              <TextField
                name="units"
                label={text.units}
                hint={text.unitsHint(most)}
                inputMode="numeric"
                autoComplete="off"
                required
              />
              <TextAreaField
                name="details"
                label={text.details}
                hint={text.detailsHint}
                maxLength={1000}
              />
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
