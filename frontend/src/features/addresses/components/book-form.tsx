import { Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { CheckboxField } from '@/ui/checkbox-field';
import { DialogActions } from '@/ui/dialog-actions';
import { Form, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { takeRefusal } from '@/ui/refusal';
import { useSaveAddressMutation } from '../api';
import { type AddressValues, addressOf, addressValues } from '../format';
import { messages } from '../messages';
import { bookSchema } from '../schema';
import type { BookAddress, Country } from '../wire';
import { AddressFields } from './address-fields';

interface BookValues extends AddressValues {
  name: string;
  phone: string;
  isDefault: boolean;
}

interface BookFormProps {
  countries: readonly Country[];
  /** The entry to be changed; a new one without it. */
  entry?: BookAddress;
  /** For whom a new one is at first. */
  name?: string;
  /** Whether there is none yet, so that it is the default anyway. */
  isFirst?: boolean;
  onClose: () => void;
}

/** Who and where, for the address book. */
export default function BookForm({
  countries,
  entry,
  name,
  isFirst = false,
  onClose,
}: BookFormProps) {
  const keys = useIdempotencyKeys();
  const [save] = useSaveAddressMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const [schema] = useState(() => bookSchema(countries));
  const [initialValues] = useState<BookValues>(() => ({
    ...addressValues(entry ?? {}),
    name: entry?.name ?? name ?? '',
    phone: entry?.phone ?? '',
    isDefault: entry?.isDefault ?? isFirst,
  }));

  const submit = async (typed: BookValues, helpers: FormikHelpers<BookValues>) => {
    setFailure(null);
    const phone = typed.phone.trim();
    const address = {
      ...addressOf(typed, countries),
      name: typed.name.trim(),
      ...(phone ? { phone } : {}),
      isDefault: typed.isDefault,
    };
    const id = entry?._id;
    const { error } = await save({
      ...(id === undefined ? {} : { id }),
      address,
      'Idempotency-Key': keys.keyFor({ id, address }),
    });
    if (error) {
      setFailure(takeRefusal(error, typed, helpers, keys));
      return;
    }
    keys.finish();
    onClose();
    notify.success(messages.saved);
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={schema}
      onSubmit={submit}
    >
      {({ isSubmitting }) => (
        <Form className="grid gap-5">
          <TextField
            name="name"
            label={messages.name}
            hint={messages.nameHint}
            autoComplete="shipping name"
            maxLength={120}
            required
          />
          <AddressFields countries={countries} />
          <TextField
            name="phone"
            label={messages.phone}
            hint={messages.phoneHint}
            type="tel"
            autoComplete="shipping tel"
            maxLength={40}
          />
          <CheckboxField name="isDefault" label={messages.isDefault} />
          {failure && <Alert tone="error">{failure}</Alert>}
          <DialogActions>
            <Button variant="outline" onClick={onClose} disabled={isSubmitting}>
              {messages.cancel}
            </Button>
            <Button type="submit" busy={isSubmitting}>
              {messages.save}
            </Button>
          </DialogActions>
        </Form>
      )}
    </Formik>
  );
}
