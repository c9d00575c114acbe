import { Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { object } from 'yup';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Form, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { takeRefusal } from '@/ui/refusal';
import { money } from '../../shared/rules';
import { useSetFreightMutation } from '../api';
import { messages } from '../messages';

const { freight: text } = messages;

interface Values {
  price: string;
}

const schema = object({ price: money(text.price, 0).required(text.required) });

/** The figure for which a purchase waits. */
export function SetFreight({ id }: { id: string }) {
  const keys = useIdempotencyKeys();
  const [set] = useSetFreightMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const price = Number(typed.price);
    const { error } = await set({ id, price, 'Idempotency-Key': keys.keyFor({ id, price }) });
    if (error) {
      setFailure(takeRefusal(error, typed, helpers, keys));
      return;
    }
    keys.finish();
    notify.success(text.done(price));
  };
  return (
    <section
      aria-labelledby="freight"
      className="card-surface grid gap-4 border-l-4 border-l-info p-4 sm:p-6"
    >
      <h2 id="freight" className="text-2xl">
        {text.heading}
      </h2>
      <Formik<Values>
        validateOnBlur={false}
        initialValues={{ price: '' }}
        validationSchema={schema}
        onSubmit={submit}
      >
        {({ isSubmitting }) => (
          <Form className="grid max-w-md gap-4">
            <TextField
              name="price"
              label={text.price}
              hint={text.hint}
              inputMode="decimal"
              autoComplete="off"
              required
            />
            {failure && <Alert tone="error">{failure}</Alert>}
            <Button type="submit" busy={isSubmitting} className="justify-self-start">
              {text.save}
            </Button>
          </Form>
        )}
      </Formik>
    </section>
  );
}
