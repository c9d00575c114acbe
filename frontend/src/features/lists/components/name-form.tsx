import { Formik, type FormikHelpers } from 'formik';
import { type ReactNode, useState } from 'react';
import { object, string } from 'yup';
import type { CallError } from '@/api/problem';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { DialogActions } from '@/ui/dialog-actions';
import { Form, TextField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { messages } from '../messages';

const LONGEST = 80;

const schema = object({
  name: string().trim().required(messages.nameRequired).max(LONGEST, messages.nameLong),
});

interface NameFormProps {
  label: string;
  hint?: ReactNode;
  /** Saves under this name; answers what went wrong. */
  save: (name: string) => Promise<CallError | undefined>;
  onClose: () => void;
}

/** What a new list is called. */
export default function NameForm({ label, hint, save, onClose }: NameFormProps) {
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (typed: { name: string }, helpers: FormikHelpers<{ name: string }>) => {
    setFailure(null);
    const error = await save(typed.name.trim());
    if (error) setFailure(takeRefusal(error, typed, helpers));
  };
  return (
    <Formik
      validateOnBlur={false}
      initialValues={{ name: '' }}
      validationSchema={schema}
      onSubmit={submit}
    >
      {({ isSubmitting }) => (
        <Form className="grid gap-5">
          {hint && <p className="text-muted">{hint}</p>}
          <TextField
            name="name"
            label={messages.name}
            hint={messages.nameHint}
            autoComplete="off"
            maxLength={LONGEST}
            required
          />
          {failure && <Alert tone="error">{failure}</Alert>}
          <DialogActions>
            <Button variant="outline" onClick={onClose} disabled={isSubmitting}>
              {messages.cancel}
            </Button>
            <Button type="submit" busy={isSubmitting}>
              {label}
            </Button>
          </DialogActions>
        </Form>
      )}
    </Formik>
  );
}
