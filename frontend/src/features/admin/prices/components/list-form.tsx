import { Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { problemOf } from '@/api/problem';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { DialogActions } from '@/ui/dialog-actions';
import { Form, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { takeRefusal } from '@/ui/refusal';
import { firstDay, lastDayOf } from '../../shared/days';
import { useSavePriceListMutation } from '../api';
import { messages } from '../messages';
import { listSchema } from '../schema';
import type { NewPriceList, PriceList } from '../wire';

const { fields } = messages;

interface Values {
  name: string;
  percent: string;
  priority: string;
  validFrom: string;
  validUntil: string;
}

function listOf({ name, percent, priority, validFrom, validUntil }: Values): NewPriceList {
  return {
    name: name.trim(),
    ...(percent === '' ? {} : { percent: Number(percent) }),
    priority: Number(priority),
    ...(validFrom ? { validFrom } : {}),
    ...(validUntil ? { validUntil } : {}),
  };
}

interface ListFormProps {
  /** The list to be changed; a new one without it. */
  list?: PriceList;
  onClose: () => void;
  /** With the id of a new list. */
  onSaved?: (id: PriceList['_id'] | undefined) => void;
}

/** What a price list is called, what it takes off, and when. */
export function ListForm({ list, onClose, onSaved }: ListFormProps) {
  const keys = useIdempotencyKeys();
  const [save] = useSavePriceListMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const [initialValues] = useState<Values>(() => ({
    name: list?.name ?? '',
    percent: list?.percent == null ? '' : String(list.percent),
    priority: String(list?.priority ?? 0),
    validFrom: firstDay(list?.validFrom),
    validUntil: lastDayOf(list?.validUntil),
  }));

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const body = listOf(typed);
    const id = list?._id;
    const { data, error } = await save({
      ...(id === undefined ? {} : { id }),
      list: body,
      'Idempotency-Key': keys.keyFor({ id, body }),
    });
    if (error) {
      const said = takeRefusal(error, typed, helpers, keys);
      const { slug, message } = problemOf(error);
      if (slug === 'name-taken') helpers.setErrors({ name: message });
      setFailure(slug === 'name-taken' ? null : said);
      return;
    }
    keys.finish();
    onClose();
    notify.success(messages.saved);
    onSaved?.(data?.insertedId);
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={listSchema}
      onSubmit={submit}
    >
      {({ isSubmitting }) => (
        <Form className="grid gap-5">
          <TextField name="name" label={fields.name} autoComplete="off" maxLength={80} required />
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <TextField
              name="percent"
              label={fields.percent}
              hint={fields.percentHint}
              inputMode="decimal"
              autoComplete="off"
            />
            <TextField
              name="priority"
              label={fields.priority}
              hint={fields.priorityHint}
              inputMode="numeric"
              autoComplete="off"
              required
            />
            <TextField name="validFrom" label={fields.validFrom} hint={fields.always} type="date" />
            <TextField
              name="validUntil"
              label={fields.validUntil}
              hint={fields.always}
              type="date"
            />
          </div>
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
