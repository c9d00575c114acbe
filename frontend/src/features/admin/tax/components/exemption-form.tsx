import { Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { object, string } from 'yup';
import { byName } from '@/features/addresses/format';
import type { Country } from '@/features/addresses/wire';
import { isEmail } from '@/lib/email';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { DialogActions } from '@/ui/dialog-actions';
import { Form, SelectField, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { messages as shared } from '../../shared/messages';
import { takeRowRefusal } from '../../shared/row-refusal';
import { day, words } from '../../shared/rules';
import { useAddExemptionMutation } from '../api';
import { messages } from '../messages';
import { type ExemptionKind, exemptionKinds, type NewExemption } from '../wire';
import { PlaceFields } from './place-fields';

const { exemptions: text } = messages;
const { fields } = text;
const { rules } = shared;

interface Values {
  email: string;
  kind: ExemptionKind;
  country: string;
  region: string;
  number: string;
  validUntil: string;
}

const schema = object({
  email: string()
    .trim()
    .required(rules.required(fields.email))
    .test('email', fields.emailWrong, (email) => !email || isEmail(email)),
  country: string().required(rules.required(fields.country)),
  region: words(60),
  number: words(40).when(['kind'], ([kind], rule) =>
    rule.required(rules.required(kind === 'reverse-charge' ? fields.vatId : fields.number)),
  ),
  validUntil: day(fields.validUntil),
});

function exemptionOf({ email, kind, country, region, number, validUntil }: Values): NewExemption {
  return {
    email: email.trim(),
    kind,
    country,
    ...(region.trim() ? { region: region.trim() } : {}),
    number: number.trim(),
    ...(validUntil ? { validUntil } : {}),
  };
}

interface ExemptionFormProps {
  countries: readonly Country[];
  /** The customer whose it is, where that is known. */
  email?: string;
  onClose: () => void;
}

/** Who does not pay tax, where and by what paper. */
export function ExemptionForm({ countries, email = '', onClose }: ExemptionFormProps) {
  const keys = useIdempotencyKeys();
  const [add] = useAddExemptionMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const [initialValues] = useState<Values>(() => ({
    email,
    kind: 'resale',
    country: byName(countries)[0]?.code ?? '',
    region: '',
    number: '',
    validUntil: '',
  }));

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const exemption = exemptionOf(typed);
    const { error } = await add({ exemption, 'Idempotency-Key': keys.keyFor(exemption) });
    if (error) {
      setFailure(takeRowRefusal(error, typed, helpers, keys));
      return;
    }
    keys.finish();
    onClose();
    notify.success(text.saved);
  };

  return (
    <Formik<Values>
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={schema}
      onSubmit={submit}
    >
      {({ values, isSubmitting }) => (
        <Form className="grid gap-5">
          <TextField
            name="email"
            label={fields.email}
            type="email"
            autoComplete="off"
            spellCheck={false}
            maxLength={254}
            required
          />
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <SelectField
              name="kind"
              label={fields.kind}
              options={exemptionKinds.map((value) => ({ value, label: text.kinds[value] }))}
            />
            <TextField
              name="number"
              label={values.kind === 'reverse-charge' ? fields.vatId : fields.number}
              hint={values.kind === 'reverse-charge' && fields.vatIdHint}
              autoComplete="off"
              spellCheck={false}
              maxLength={40}
              required
            />
            <PlaceFields
              countries={countries}
              labels={fields}
              everywhere={messages.rates.fields.wholeCountry}
            />
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
