import { Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { object, string } from 'yup';
import { byName } from '@/features/addresses/format';
import type { Country } from '@/features/addresses/wire';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { DialogActions } from '@/ui/dialog-actions';
import { Form, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { messages as shared } from '../../shared/messages';
import { takeRowRefusal } from '../../shared/row-refusal';
import { day, decimal, lastDay, words } from '../../shared/rules';
import { useSaveTaxRateMutation } from '../api';
import { messages } from '../messages';
import type { NewTaxRate, TaxRate } from '../wire';
import { PlaceFields } from './place-fields';

const { rates: text } = messages;
const { fields } = text;
const { rules } = shared;

interface Values {
  country: string;
  region: string;
  name: string;
  percent: string;
  validFrom: string;
  validUntil: string;
}

const HUNDREDTHS = 100;

const schema = object({
  country: string().required(rules.required(fields.country)),
  region: words(60),
  name: words(60).required(rules.required(fields.name)),
  percent: decimal(fields.percent, 0, 100, 2).required(rules.required(fields.percent)),
  validFrom: day(fields.validFrom).required(rules.required(fields.validFrom)),
  validUntil: lastDay(fields.validUntil, 'validFrom'),
});

const rateOf = ({ country, region, name, percent, validFrom, validUntil }: Values): NewTaxRate => ({
  country,
  ...(region.trim() ? { region: region.trim() } : {}),
  name: name.trim(),
  basisPoints: Math.round(Number(percent) * HUNDREDTHS),
  validFrom,
  ...(validUntil ? { validUntil } : {}),
});

interface RateFormProps {
  /** The rate to be changed; a new one without it. */
  rate?: TaxRate;
  countries: readonly Country[];
  onClose: () => void;
}

/** A rate: where, how much, and from when to when. */
export function RateForm({ rate, countries, onClose }: RateFormProps) {
  const keys = useIdempotencyKeys();
  const [save] = useSaveTaxRateMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const [initialValues] = useState<Values>(() => ({
    country: rate?.country ?? byName(countries)[0]?.code ?? '',
    region: rate?.region ?? '',
    name: rate?.name ?? '',
    percent: rate ? String(rate.basisPoints / HUNDREDTHS) : '',
    validFrom: rate?.validFrom ?? '',
    validUntil: rate?.validUntil ?? '',
  }));

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const body = rateOf(typed);
    const id = rate?._id;
    const { error } = await save({
      ...(id === undefined ? {} : { id }),
      rate: body,
      'Idempotency-Key': keys.keyFor({ id, body }),
    });
    if (error) {
      const fieldOf = (name: string) => (name === 'basisPoints' ? 'percent' : name);
      setFailure(takeRowRefusal(error, typed, helpers, keys, fieldOf));
      return;
    }
    keys.finish();
    onClose();
    notify.success(text.saved);
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
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <PlaceFields countries={countries} labels={fields} everywhere={fields.wholeCountry} />
            <TextField
              name="name"
              label={fields.name}
              hint={fields.nameHint}
              autoComplete="off"
              maxLength={60}
              required
            />
            <TextField
              name="percent"
              label={fields.percent}
              inputMode="decimal"
              autoComplete="off"
              required
            />
            <TextField name="validFrom" label={fields.validFrom} type="date" required />
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
              {text.save}
            </Button>
          </DialogActions>
        </Form>
      )}
    </Formik>
  );
}
