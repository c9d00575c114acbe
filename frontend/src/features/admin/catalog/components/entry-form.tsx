import { Formik, type FormikHelpers } from 'formik';
import { type ReactNode, useState } from 'react';
import { object, string } from 'yup';
import type { CallError } from '@/api/problem';
import { Alert } from '@/ui/alert';
import { Form, SelectField, TextField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { messages } from '../messages';

/** One input of an entry. */
export interface EntryField {
  name: string;
  label: string;
  /** Where it is one of these. */
  options?: readonly { value: string; label: string }[];
}

export type EntryValues = Record<string, string>;

interface EntryFormProps {
  fields: readonly EntryField[];
  initial: EntryValues;
  save: (values: EntryValues) => Promise<{ error?: CallError | undefined }>;
  onSaved?: () => void;
  className: string;
  children: (busy: boolean) => ReactNode;
}

/** The shortest that the shop takes of all of them. */
const MOST = 60;

const schemaOf = (fields: readonly EntryField[]) =>
  object(
    Object.fromEntries(
      fields.map(({ name, label }) => [
        name,
        string().trim().required(messages.required(label)).max(MOST, messages.most(MOST)),
      ]),
    ),
  );

/** The inputs of an entry, new or to be changed; what the shop refuses is said at its field, or below. */
export function EntryForm({ fields, initial, save, onSaved, className, children }: EntryFormProps) {
  const [schema] = useState(() => schemaOf(fields));
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async (typed: EntryValues, helpers: FormikHelpers<EntryValues>) => {
    setFailure(null);
    const { error } = await save(schema.cast(typed) as EntryValues);
    if (error) {
      setFailure(takeRefusal(error, typed, helpers));
      return;
    }
    helpers.resetForm();
    onSaved?.();
  };
  return (
    <Formik
      validateOnBlur={false}
      initialValues={initial}
      validationSchema={schema}
      onSubmit={submit}
    >
      {({ isSubmitting }) => (
        <Form className={className}>
          {fields.map(({ name, label, options }) =>
            options ? (
              <SelectField key={name} name={name} label={label} options={options} required />
            ) : (
              <TextField key={name} name={name} label={label} autoComplete="off" required />
            ),
          )}
          {failure && (
            <div className="col-span-full">
              <Alert tone="error">{failure}</Alert>
            </div>
          )}
          {children(isSubmitting)}
        </Form>
      )}
    </Formik>
  );
}
