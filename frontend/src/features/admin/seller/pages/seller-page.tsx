import { Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { object } from 'yup';
import { hasStatus } from '@/api/problem';
import { useListCountriesQuery } from '@/features/addresses/api';
import { AddressFields } from '@/features/addresses/components/address-fields';
import { type AddressValues, addressOf, addressValues } from '@/features/addresses/format';
import { fieldMessages } from '@/features/addresses/messages';
import { addressShape } from '@/features/addresses/schema';
import type { Country } from '@/features/addresses/wire';
import { isEmail } from '@/lib/email';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { usePageTitle } from '@/lib/use-page-title';
import { Alert } from '@/ui/alert';
import { Answered } from '@/ui/answered';
import { Button } from '@/ui/button';
import { Form, TextAreaField, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { takeRefusal } from '@/ui/refusal';
import { messages as shared } from '../../shared/messages';
import { words } from '../../shared/rules';
import { useGetSellerQuery, useSetSellerMutation } from '../api';
import { messages } from '../messages';
import type { Seller } from '../wire';

const { rules } = shared;

interface Values extends AddressValues {
  name: string;
  taxId: string;
  email: string;
  phone: string;
  terms: string;
}

const schemaOf = (countries: readonly Country[]) =>
  object({
    ...addressShape(countries),
    name: words(120).required(rules.required(messages.name)),
    taxId: words(40),
    email: words(254)
      .required(rules.required(messages.email))
      .test('email', messages.emailWrong, (email) => !email || isEmail(email)),
    phone: words(40),
    terms: words(500),
  });

function sellerOf(values: Values, countries: readonly Country[]): Seller {
  const { company: _company, ...address } = addressOf(values, countries);
  const optional = (['taxId', 'phone', 'terms'] as const).flatMap((name) => {
    const text = values[name].trim();
    return text ? [[name, text] as const] : [];
  });
  return {
    ...address,
    name: values.name.trim(),
    email: values.email.trim(),
    ...Object.fromEntries(optional),
  };
}

function SellerForm({
  seller,
  countries,
}: {
  seller: Seller | null;
  countries: readonly Country[];
}) {
  const keys = useIdempotencyKeys();
  const [save] = useSetSellerMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const [schema] = useState(() => schemaOf(countries));
  const [initialValues] = useState<Values>(() => ({
    ...addressValues(seller ?? {}),
    name: seller?.name ?? '',
    taxId: seller?.taxId ?? '',
    email: seller?.email ?? '',
    phone: seller?.phone ?? '',
    terms: seller?.terms ?? '',
  }));

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const body = sellerOf(typed, countries);
    const { error } = await save({ seller: body, 'Idempotency-Key': keys.keyFor(body) });
    if (error) {
      setFailure(takeRefusal(error, typed, helpers, keys));
      return;
    }
    keys.finish();
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
        <Form className="card-surface grid max-w-3xl gap-5 p-4 sm:p-8">
          {!seller && <Alert tone="info">{messages.missing}</Alert>}
          <TextField
            name="name"
            label={messages.name}
            autoComplete="organization"
            maxLength={120}
            required
          />
          <AddressFields countries={countries} section="billing" hasCompany={false} />
          <div className="grid items-start gap-5 sm:grid-cols-2">
            <TextField
              name="email"
              label={messages.email}
              type="email"
              autoComplete="email"
              maxLength={254}
              required
            />
            <TextField
              name="phone"
              label={messages.phone}
              hint={messages.optional}
              type="tel"
              autoComplete="tel"
              maxLength={40}
            />
            <TextField
              name="taxId"
              label={messages.taxId}
              hint={messages.taxIdHint}
              autoComplete="off"
              spellCheck={false}
              maxLength={40}
            />
          </div>
          <TextAreaField
            name="terms"
            label={messages.terms}
            hint={messages.termsHint}
            maxLength={500}
          />
          {failure && <Alert tone="error">{failure}</Alert>}
          <Button type="submit" busy={isSubmitting} className="justify-self-start">
            {messages.save}
          </Button>
        </Form>
      )}
    </Formik>
  );
}

/** Who sells, as it is printed on documents. */
export default function SellerPage() {
  usePageTitle(messages.heading);
  const answer = useGetSellerQuery(undefined, { refetchOnMountOrArgChange: true });
  const countries = useListCountriesQuery();
  // What the form begins with is never an answer from before, nor one that comes while it is filled in.
  const [known, setKnown] = useState<{ seller: Seller | null }>();
  // Nobody has said yet who sells.
  const isBlank = answer.isError && hasStatus(answer.error, 404);
  if (!known && !answer.isFetching && (answer.isSuccess || isBlank)) {
    const seller = answer.isSuccess ? answer.data : null;
    setKnown({ seller: seller?.name ? seller : null });
  }
  return (
    <>
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{messages.heading}</h1>
      <p className="mb-6 max-w-prose text-muted">{messages.intro}</p>
      <Answered
        answer={{ ...answer, data: known }}
        loading={messages.loading}
        failed={messages.failed}
      >
        {({ seller }) => (
          <Answered
            answer={countries}
            loading={fieldMessages.loading}
            failed={fieldMessages.failed}
          >
            {(data) => <SellerForm seller={seller} countries={data} />}
          </Answered>
        )}
      </Answered>
    </>
  );
}
