import { Formik, type FormikHelpers } from 'formik';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Info } from '@/api/types';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { DialogActions } from '@/ui/dialog-actions';
import { Form, TextField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { useEditProfileMutation, useFillProfileMutation } from '../api';
import {
  dialogMessages,
  infoLabels,
  infoDialogMessages as messages,
  profileMessages,
} from '../messages';
import { NO_USER, notifyNoUser } from '../no-user';
import { infoSchema } from '../schema';

const blank = { studyIn: '', livesIn: '', phone: '', facebook: '', linkedin: '', github: '' };
type InfoValues = typeof blank;

/** `updatedLinkedIn` of the wire is `linkedin` of the form: the shop's names differ in prefix and letter case. */
function fieldOf(wireName: string): string {
  const bare = wireName.replace(/^updated/, '').toLowerCase();
  return Object.keys(blank).find((name) => name.toLowerCase() === bare) ?? wireName;
}

interface InfoDialogProps {
  email: string;
  /** The info saved so far; null for the first time. */
  info: Info | null;
  onSaved: (how: 'added' | 'updated') => void;
  onClose: () => void;
}

/** Adds or updates the info, under the names that each call wants. */
function useSaveInfo(email: string, isNew: boolean) {
  const keys = useIdempotencyKeys();
  const [addInfo] = useFillProfileMutation();
  const [updateInfo] = useEditProfileMutation();
  const save = (values: InfoValues) => {
    if (isNew) {
      const payload = { email, ...values };
      return addInfo({ newInfo: payload, 'Idempotency-Key': keys.keyFor(payload) });
    }
    const update = {
      updatedStudyIn: values.studyIn,
      updatedLivesIn: values.livesIn,
      updatedPhone: values.phone,
      updatedFacebook: values.facebook,
      updatedLinkedIn: values.linkedin,
      updatedGithub: values.github,
    };
    return updateInfo({ email, updatedInfo: update, 'Idempotency-Key': keys.keyFor(update) });
  };
  return { save, keys };
}

function LinkField({ name, label }: { name: string; label: string }) {
  return <TextField name={name} label={label} type="url" inputMode="url" placeholder="https://" />;
}

/** Add Info for the first time, Update from then on: the same six fields under the names that each call wants. */
export default function InfoDialog({ email, info, onSaved, onClose }: InfoDialogProps) {
  const first = useRef<HTMLDivElement>(null);
  const { save, keys } = useSaveInfo(email, info === null);
  const [failure, setFailure] = useState<string | null>(null);
  const initialValues = useMemo<InfoValues>(
    () => ({
      studyIn: info?.studyIn ?? '',
      livesIn: info?.livesIn ?? '',
      phone: info?.phone ?? '',
      facebook: info?.facebook ?? '',
      linkedin: info?.linkedin ?? '',
      github: info?.github ?? '',
    }),
    [info],
  );

  // Browsers focus the close button first; a form begins at its first field.
  useEffect(() => first.current?.querySelector('input')?.focus(), []);

  const submit = async (typed: InfoValues, helpers: FormikHelpers<InfoValues>) => {
    setFailure(null);
    const values = infoSchema.cast(typed);
    if (!info && Object.values(values).every((text) => text === '')) {
      setFailure(messages.empty);
      return;
    }
    const answer = await save(values);
    if (notifyNoUser(answer.error)) {
      setFailure(NO_USER);
      return;
    }
    if (answer.error) {
      setFailure(takeRefusal(answer.error, typed, helpers, keys, fieldOf));
      return;
    }
    keys.finish();
    onSaved(info ? 'updated' : 'added');
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={infoSchema}
      onSubmit={submit}
    >
      {({ isSubmitting }) => (
        <Dialog
          open
          wide
          title={info ? profileMessages.update : profileMessages.addInfo}
          onClose={onClose}
          locked={isSubmitting}
        >
          <Form className="grid gap-5">
            <p className="-mt-3 text-muted">{info ? messages.updateHint : messages.addHint}</p>
            <div ref={first} className="grid items-start gap-5 sm:grid-cols-2">
              <TextField name="studyIn" label={infoLabels.studyIn} autoComplete="off" />
              <TextField name="livesIn" label={infoLabels.livesIn} autoComplete="address-level2" />
              <TextField name="phone" label={infoLabels.phone} type="tel" autoComplete="tel" />
              <LinkField name="facebook" label={infoLabels.facebook} />
              <LinkField name="linkedin" label={infoLabels.linkedin} />
              <LinkField name="github" label={infoLabels.github} />
            </div>
            {failure && <Alert tone="error">{failure}</Alert>}
            <DialogActions>
              <Button variant="outline" onClick={onClose} disabled={isSubmitting}>
                {dialogMessages.cancel}
              </Button>
              <Button type="submit" busy={isSubmitting}>
                {dialogMessages.save}
              </Button>
            </DialogActions>
          </Form>
        </Dialog>
      )}
    </Formik>
  );
}
