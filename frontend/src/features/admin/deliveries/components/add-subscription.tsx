import { Formik, Field as FormikField, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { array, object, string } from 'yup';
import type { AddedWebhookEndpoint, DeliveryTopic } from '@/api/types';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Form, TextField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { useAddSubscriptionMutation } from '../api';
import { orderTopics } from '../labels';
import { messages } from '../messages';

const { add: text } = messages;

interface Values {
  url: string;
  events: DeliveryTopic[];
}

const schema = object({
  url: string()
    .trim()
    .required(text.urlRequired)
    .matches(/^https?:\/\/\S+$/i, text.urlFormat)
    .max(2000, text.urlTooLong),
  events: array().of(string<DeliveryTopic>().required()).min(1, text.eventsRequired),
});

/** Subscribes a program to events of orders. Whoever adds it is shown its secret, once. */
export function AddSubscription({ onAdded }: { onAdded: (added: AddedWebhookEndpoint) => void }) {
  const keys = useIdempotencyKeys();
  const [add] = useAddSubscriptionMutation();
  const [failure, setFailure] = useState<string | null>(null);

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const request = { url: typed.url.trim(), events: typed.events };
    const answer = await add({
      newWebhookEndpoint: request,
      'Idempotency-Key': keys.keyFor(request),
    });
    if (!answer.data) {
      setFailure(takeRefusal(answer.error, typed, helpers, keys));
      return;
    }
    keys.finish();
    helpers.resetForm();
    onAdded(answer.data);
  };

  return (
    <Formik<Values>
      validateOnBlur={false}
      initialValues={{ url: '', events: [] }}
      validationSchema={schema}
      onSubmit={submit}
    >
      {({ isSubmitting, errors, touched }) => (
        <Form className="card-surface grid gap-5 p-4 sm:p-6">
          <TextField
            name="url"
            label={text.url}
            type="url"
            inputMode="url"
            autoComplete="off"
            hint={text.urlHint}
            required
          />
          <fieldset className="grid gap-2">
            <legend className="mb-2 font-semibold">{text.events}</legend>
            <div className="grid grid-cols-2 gap-x-4 sm:flex sm:flex-wrap sm:gap-x-6">
              {orderTopics.map((topic) => (
                <label
                  key={topic}
                  htmlFor={`event-${topic}`}
                  className="flex min-h-11 cursor-pointer items-center gap-3"
                >
                  <FormikField
                    id={`event-${topic}`}
                    type="checkbox"
                    name="events"
                    value={topic}
                    aria-invalid={touched.events && errors.events ? true : undefined}
                    aria-describedby={touched.events && errors.events ? 'events-error' : undefined}
                    className="checkbox border-edge checked:border-primary checked:bg-primary checked:text-primary-content"
                  />
                  {messages.topics[topic]}
                </label>
              ))}
            </div>
            {touched.events && errors.events && (
              <p id="events-error" className="text-sm font-semibold text-error">
                {errors.events}
              </p>
            )}
          </fieldset>
          {failure && <Alert tone="error">{failure}</Alert>}
          <Button type="submit" busy={isSubmitting} className="justify-self-start">
            {text.submit}
          </Button>
        </Form>
      )}
    </Formik>
  );
}
