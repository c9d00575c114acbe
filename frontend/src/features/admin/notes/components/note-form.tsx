import { Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { object, string } from 'yup';
import type { CallError } from '@/api/problem';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Form, TextAreaField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { takeRefusal } from '@/ui/refusal';
import { messages } from '../messages';

/** Writes a note; answers what RTK Query's mutations do. */
export type Add = (text: string, key: string) => Promise<{ error?: CallError | undefined }>;

interface Values {
  text: string;
}

const schema = object({
  text: string().trim().required(messages.required).max(2000, messages.tooLong),
});

export function NoteForm({ add }: { add: Add }) {
  const keys = useIdempotencyKeys();
  const [failure, setFailure] = useState<string | null>(null);

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const { text } = schema.cast(typed);
    const { error } = await add(text ?? '', keys.keyFor({ text }));
    if (error) {
      setFailure(takeRefusal(error, typed, helpers, keys));
      return;
    }
    keys.finish();
    helpers.resetForm();
    notify.success(messages.added);
  };

  return (
    <Formik<Values>
      validateOnBlur={false}
      initialValues={{ text: '' }}
      validationSchema={schema}
      onSubmit={submit}
    >
      {({ isSubmitting }) => (
        <Form className="grid gap-4">
          <TextAreaField name="text" label={messages.label} rows={3} />
          {failure && <Alert tone="error">{failure}</Alert>}
          <Button
            type="submit"
            variant="outline"
            busy={isSubmitting}
            className="justify-self-start"
          >
            {messages.submit}
          </Button>
        </Form>
      )}
    </Formik>
  );
}
