import { Formik, type FormikHelpers } from 'formik';
import { KeyRound } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { object, string } from 'yup';
import { problemOf } from '@/api/problem';
import type { SecondFactors } from '@/api/types';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { DialogActions } from '@/ui/dialog-actions';
import { Form, TextField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import {
  useBeginProofByPasskeyMutation,
  useProveByCodeMutation,
  useProveByPasskeyMutation,
} from '../api';
import { proofMessages as messages, setupMessages } from '../messages';
import { addressAt, loadCeremonies, passkeysWorkHere } from '../passkey-host';

const schema = object({ code: string().trim().required(setupMessages.codeRequired) });
const blank = { code: '' };

interface ProveFormProps {
  factors: SecondFactors;
  onProved: () => void;
  /** Beside the button that confirms. */
  aside: ReactNode;
}

/** Proves the second step, by a passkey, a code of an app or a recovery code. */
export function ProveForm({ factors, onProved, aside }: ProveFormProps) {
  const [byCode] = useProveByCodeMutation();
  const [askPasskey] = useBeginProofByPasskeyMutation();
  const [byPasskey] = useProveByPasskeyMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const [signing, setSigning] = useState(false);
  const works = factors.byPasskey && passkeysWorkHere(factors.passkeyHost);

  const sign = async () => {
    setFailure(null);
    const asked = await askPasskey();
    if (asked.error) return setFailure(problemOf(asked.error).message);
    let credential: Record<string, unknown>;
    try {
      credential = await (await loadCeremonies()).signWithPasskey(asked.data);
    } catch {
      return setFailure(messages.passkeyFailed);
    }
    const { error } = await byPasskey({ credential });
    if (error) setFailure(problemOf(error).message);
    else onProved();
  };

  const submit = async (typed: typeof blank, helpers: FormikHelpers<typeof blank>) => {
    setFailure(null);
    const { error } = await byCode({ code: typed.code });
    if (error) setFailure(takeRefusal(error, typed, helpers));
    else onProved();
  };

  return (
    <div className="grid gap-5">
      {works && (
        <>
          <Button
            busy={signing}
            onClick={() => {
              setSigning(true);
              void sign().finally(() => setSigning(false));
            }}
          >
            <KeyRound aria-hidden="true" className="size-4" />
            {messages.passkey}
          </Button>
          <p className="text-center text-sm text-muted">{messages.or}</p>
        </>
      )}
      {factors.byPasskey && !works && factors.passkeyHost && (
        <p className="text-sm text-muted">{messages.elsewhere(addressAt(factors.passkeyHost))}</p>
      )}
      <Formik
        initialValues={blank}
        validateOnBlur={false}
        validationSchema={schema}
        onSubmit={submit}
      >
        {({ isSubmitting }) => (
          <Form className="grid gap-5">
            <TextField
              name="code"
              label={messages.code}
              hint={factors.byApp ? messages.codeHint : messages.recoveryHint}
              autoComplete="one-time-code"
            />
            {failure && <Alert tone="error">{failure}</Alert>}
            <DialogActions>
              {aside}
              <Button variant={works ? 'outline' : 'primary'} type="submit" busy={isSubmitting}>
                {messages.confirm}
              </Button>
            </DialogActions>
          </Form>
        )}
      </Formik>
    </div>
  );
}
