import { Formik } from 'formik';
import { useState } from 'react';
import { object, string } from 'yup';
import type { CallError } from '@/api/problem';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { DialogActions } from '@/ui/dialog-actions';
import { Form, TextField } from '@/ui/form';
import { useAddPasskeyMutation, useBeginPasskeyMutation } from '../api';
import { setupMessages as messages } from '../messages';
import { loadCeremonies } from '../passkey-host';
import { Refusal } from './refusal';

const schema = object({
  name: string().trim().required(messages.nameRequired).max(60, messages.nameLong),
});

interface PasskeySetupProps {
  /** With the recovery codes, which there are for the first factor only. */
  onAdded: (codes: string[]) => void;
  onCancel: () => void;
}

/** Makes a passkey on this device, under a name that its owner will know it by. */
export function PasskeySetup({ onAdded, onCancel }: PasskeySetupProps) {
  const [begin] = useBeginPasskeyMutation();
  const [add] = useAddPasskeyMutation();
  const [refused, setRefused] = useState<CallError | null>(null);
  const [notMade, setNotMade] = useState<string | null>(null);

  const submit = async ({ name }: { name: string }) => {
    setRefused(null);
    setNotMade(null);
    const asked = await begin();
    if (asked.error) return setRefused(asked.error);
    const { isMadeBefore, makePasskey } = await loadCeremonies();
    let credential: Record<string, unknown>;
    try {
      credential = await makePasskey(asked.data);
    } catch (error) {
      return setNotMade(isMadeBefore(error) ? messages.alreadyHere : messages.notMade);
    }
    const added = await add({ name: name.trim(), credential });
    if (added.error) return setRefused(added.error);
    onAdded(added.data.recoveryCodes);
  };

  return (
    <Formik
      initialValues={{ name: messages.passkeyDefault as string }}
      validateOnBlur={false}
      validationSchema={schema}
      onSubmit={submit}
    >
      {({ isSubmitting }) => (
        <Form className="grid gap-5">
          <p className="text-muted">{messages.passkeyAbout}</p>
          <TextField name="name" label={messages.passkeyName} hint={messages.passkeyNameHint} />
          {notMade && <Alert tone="error">{notMade}</Alert>}
          {refused && <Refusal error={refused} />}
          <DialogActions>
            <Button variant="outline" onClick={onCancel} disabled={isSubmitting}>
              {messages.cancel}
            </Button>
            <Button type="submit" busy={isSubmitting}>
              {messages.makePasskey}
            </Button>
          </DialogActions>
        </Form>
      )}
    </Formik>
  );
}
