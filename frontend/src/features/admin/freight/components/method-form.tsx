import { FieldArray, Formik, type FormikHelpers, useFormikContext } from 'formik';
import { useState } from 'react';
import type { Country } from '@/features/addresses/wire';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { DialogActions } from '@/ui/dialog-actions';
import { Form, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { RowAction } from '@/ui/row-action';
import { takeRowRefusal } from '../../shared/row-refusal';
import { useSaveShippingMethodMutation } from '../api';
import { messages } from '../messages';
import { blankMethod, type MethodValues, methodOf, methodSchema, methodValues } from '../method';
import type { ShippingMethod } from '../wire';

const { methods: text } = messages;
const { fields } = text;

/** The wire's names as this form has them. */
function fieldOf(name: string): string {
  if (/^countries\b/.test(name)) return 'countries';
  return name.replace(/upToGrams$/, 'upTo').replace(/^palletFromGrams$/, 'palletFrom');
}

function Bands() {
  const { values, errors, touched } = useFormikContext<MethodValues>();
  const missing = touched.bands && typeof errors.bands === 'string' ? errors.bands : null;
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-2 font-semibold">{fields.bands}</legend>
      <FieldArray name="bands">
        {({ push, remove }) => (
          <>
            <ul className="grid gap-3 empty:hidden">
              {values.bands.map((_band, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: Formik names a row by its place.
                <li key={place} className="grid grid-cols-2 items-start gap-3 sm:grid-cols-3">
                  <TextField
                    name={`bands.${place}.upTo`}
                    label={fields.upTo}
                    aria-label={fields.upToOf(place + 1)}
                    inputMode="decimal"
                    autoComplete="off"
                    required
                  />
                  <TextField
                    name={`bands.${place}.price`}
                    label={fields.price}
                    aria-label={fields.priceOf(place + 1)}
                    inputMode="decimal"
                    autoComplete="off"
                    required
                  />
                  <RowAction>
                    <Button variant="ghost" onClick={() => remove(place)}>
                      {fields.removeBand} <span className="sr-only">{fields.row(place + 1)}</span>
                    </Button>
                  </RowAction>
                </li>
              ))}
            </ul>
            {missing && <p className="text-sm font-semibold text-error">{missing}</p>}
            <Button
              variant="outline"
              className="justify-self-start"
              onClick={() => push({ upTo: '', price: '' })}
            >
              {fields.addBand}
            </Button>
          </>
        )}
      </FieldArray>
    </fieldset>
  );
}

interface MethodFormProps {
  /** The method to be changed; a new one without it. */
  method?: ShippingMethod;
  /** As far as they are known. */
  countries: readonly Country[];
  onClose: () => void;
}

/** What a shipping method costs, where. */
export function MethodForm({ method, countries, onClose }: MethodFormProps) {
  const keys = useIdempotencyKeys();
  const [save] = useSaveShippingMethodMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const [initialValues] = useState(() => (method ? methodValues(method) : blankMethod));
  const [schema] = useState(() =>
    methodSchema((code) =>
      countries.length === 0
        ? /^[A-Z]{2}$/.test(code)
        : countries.some((country) => country.code === code),
    ),
  );

  const submit = async (typed: MethodValues, helpers: FormikHelpers<MethodValues>) => {
    setFailure(null);
    const body = methodOf(typed);
    const id = method?._id;
    const { error } = await save({
      ...(id === undefined ? {} : { id }),
      method: body,
      'Idempotency-Key': keys.keyFor({ id, body }),
    });
    if (error) {
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
          <TextField
            name="name"
            label={fields.name}
            hint={fields.nameHint}
            autoComplete="off"
            maxLength={60}
            required
          />
          <TextField
            name="countries"
            label={fields.countries}
            hint={fields.countriesHint}
            autoComplete="off"
            spellCheck={false}
          />
          <Bands />
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <TextField
              name="perExtraKg"
              label={fields.perExtraKg}
              hint={fields.perExtraKgHint}
              inputMode="decimal"
              autoComplete="off"
            />
            <TextField
              name="freeOver"
              label={fields.freeOver}
              hint={fields.freeOverHint}
              inputMode="decimal"
              autoComplete="off"
            />
            <TextField
              name="palletFrom"
              label={fields.palletFrom}
              hint={fields.palletFromHint}
              inputMode="decimal"
              autoComplete="off"
            />
            <TextField
              name="perPallet"
              label={fields.perPallet}
              hint={fields.perPalletHint}
              inputMode="decimal"
              autoComplete="off"
            />
            <TextField
              name="divisor"
              label={fields.divisor}
              hint={fields.divisorHint}
              inputMode="numeric"
              autoComplete="off"
            />
          </div>
          {failure && <Alert tone="error">{failure}</Alert>}
          <DialogActions>
            <Button variant="outline" onClick={onClose} disabled={isSubmitting}>
              {text.cancel}
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
