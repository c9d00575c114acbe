import { Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { object, string } from 'yup';
import type { Attention } from '@/api/types';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { formatMoney } from '@/lib/money';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { DialogButton } from '@/ui/dialog-button';
import { Form, TextField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { useRecordBankTransferMutation } from '../api';
import { messages } from '../messages';

const { bankTransfer: text } = messages;

interface Values {
  reference: string;
}

const schema = object({
  reference: string().trim().required(text.referenceRequired).max(500, text.referenceTooLong),
});

interface BankTransferProps {
  matter: Attention;
  onDone: () => void;
}

function BankTransferDialog({
  matter,
  onClose,
  onDone,
}: BankTransferProps & { onClose: () => void }) {
  const keys = useIdempotencyKeys();
  const [record] = useRecordBankTransferMutation();
  const [failure, setFailure] = useState<string | null>(null);

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const bankTransfer = { reference: typed.reference.trim() };
    const key = keys.keyFor({ id: matter.id, ...bankTransfer });
    const { error } = await record({ id: matter.id, bankTransfer, 'Idempotency-Key': key });
    if (error) {
      setFailure(takeRefusal(error, typed, helpers, keys));
      return;
    }
    keys.finish();
    onClose();
    onDone();
  };

  return (
    <Dialog open title={text.button} onClose={onClose}>
      <Formik<Values>
        validateOnBlur={false}
        initialValues={{ reference: '' }}
        validationSchema={schema}
        onSubmit={submit}
      >
        {({ isSubmitting }) => (
          <Form className="grid gap-5">
            <p>{text.explain(formatMoney(matter.amount), matter.name)}</p>
            <TextField name="reference" label={text.reference} autoComplete="off" required />
            {failure && <Alert tone="error">{failure}</Alert>}
            <Button type="submit" busy={isSubmitting} className="justify-self-start">
              {text.submit}
            </Button>
          </Form>
        )}
      </Formik>
    </Dialog>
  );
}

/** Asks for the reference of a bank transfer that took the place of a refund. */
export function BankTransfer({ matter, onDone }: BankTransferProps) {
  return (
    <DialogButton label={text.button} context={text.to(matter.name)}>
      {(close) => <BankTransferDialog matter={matter} onClose={close} onDone={onDone} />}
    </DialogButton>
  );
}
