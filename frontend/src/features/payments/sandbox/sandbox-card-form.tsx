import { Formik, useField } from 'formik';
import { useImperativeHandle, useMemo, useRef, useState } from 'react';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Field } from '@/ui/field';
import { Form, TextField } from '@/ui/form';
import { useConfirmSandboxPaymentMutation } from '../api';
import { PayBar } from '../components/pay-bar';
import type { CardFormProps, Confirmation } from '../gateway';
import { messages } from '../messages';
import { cardSchema, groupDigits, readCard, type TypedCard, testCards } from './card';
import { sandboxGateway } from './sandbox-gateway';

const { sandbox: text } = messages;

const empty: TypedCard = { number: '', expiry: '', cvc: '' };

/** Groups the digits by four, except while somebody edits in the middle, where that would move the cursor. */
function CardNumber() {
  const [field, meta, { setValue }] = useField<string>('number');
  return (
    <Field label={text.number} error={meta.touched ? meta.error : undefined}>
      {(fieldProps) => (
        <input
          {...field}
          {...fieldProps}
          className="input"
          inputMode="numeric"
          autoComplete="cc-number"
          placeholder="4242 4242 4242 4242"
          maxLength={23}
          required
          onChange={(event) => {
            const { value, selectionStart } = event.target;
            void setValue(selectionStart === value.length ? groupDigits(value) : value);
          }}
        />
      )}
    </Field>
  );
}

/** Ordinary card fields for the sandbox, where no card is real. */
export default function SandboxCardForm({
  ref,
  clientSecret,
  payer,
  amount,
  onPaid,
  onOvertaken,
}: CardFormProps) {
  const area = useRef<HTMLDivElement>(null);
  const keys = useIdempotencyKeys();
  const [send, { isLoading }] = useConfirmSandboxPaymentMutation();
  const gateway = useMemo(() => sandboxGateway(send, keys), [send, keys]);
  const [outcome, setOutcome] = useState<Confirmation | null>(null);

  useImperativeHandle(
    ref,
    () => ({ focus: () => area.current?.querySelector('input')?.focus() }),
    [],
  );

  const pay = async (typed: TypedCard) => {
    const card = readCard(typed);
    if (!card || !clientSecret) return;
    setOutcome(null);
    const answer = await gateway.confirm(clientSecret, card, payer);
    setOutcome(answer);
    if (answer.kind === 'paid') onPaid(answer.transactionId);
    if (answer.kind === 'overtaken') onOvertaken();
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={empty}
      validationSchema={cardSchema}
      onSubmit={pay}
    >
      {({ setFieldValue }) => (
        <Form className="grid gap-5">
          <div ref={area}>
            <CardNumber />
          </div>
          <div className="grid grid-cols-2 gap-5">
            <TextField
              name="expiry"
              label={text.expiry}
              inputMode="numeric"
              autoComplete="cc-exp"
              placeholder="MM/YY"
              maxLength={9}
              required
            />
            <TextField
              name="cvc"
              label={text.cvc}
              inputMode="numeric"
              autoComplete="cc-csc"
              placeholder="123"
              maxLength={4}
              required
            />
          </div>
          <PayBar
            ready={clientSecret !== null}
            busy={isLoading}
            amount={amount}
            outcome={outcome}
          />
          <Alert tone="info">
            <p className="font-semibold">{text.note}</p>
            <p className="text-muted">{text.noteHint}</p>
            <ul className="mt-1">
              {testCards.map(({ number, outcome: does }) => (
                <li key={number} className="flex flex-wrap items-center gap-x-2">
                  <button
                    type="button"
                    className="link-accent inline-flex min-h-11 cursor-pointer items-center"
                    onClick={() => void setFieldValue('number', number)}
                  >
                    {number}
                  </button>
                  {does}
                </li>
              ))}
            </ul>
          </Alert>
        </Form>
      )}
    </Formik>
  );
}
