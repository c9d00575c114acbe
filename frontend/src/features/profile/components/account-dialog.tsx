import { Formik, type FormikHelpers } from 'formik';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Person } from '@/api/types';
import { useUpdateMeMutation } from '@/features/session/api';
import { Avatar } from '@/features/session/components/avatar';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Form, TextField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { accountSchema } from '../schema';

interface AccountValues {
  displayName: string;
  photoURL: string;
}

interface AccountDialogProps {
  user: Person;
  onSaved: (user: Person) => void;
  onClose: () => void;
}

/** Display name and photo. Only what was changed is sent. */
export function AccountDialog({ user, onSaved, onClose }: AccountDialogProps) {
  const first = useRef<HTMLDivElement>(null);
  const [updateMe] = useUpdateMeMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const schema = useMemo(() => accountSchema(user.photoURL !== null), [user.photoURL]);
  const initialValues = useMemo<AccountValues>(
    () => ({ displayName: user.displayName, photoURL: user.photoURL ?? '' }),
    [user],
  );

  // The browser would begin at the cross; a form begins at its first field.
  useEffect(() => first.current?.querySelector('input')?.focus(), []);

  const submit = async (typed: AccountValues, helpers: FormikHelpers<AccountValues>) => {
    setFailure(null);
    const displayName = typed.displayName.trim();
    const photoURL = typed.photoURL.trim();
    const answer = await updateMe({
      rename: { displayName, ...(photoURL !== initialValues.photoURL ? { photoURL } : {}) },
    });
    if (answer.data) onSaved(answer.data);
    else setFailure(takeRefusal(answer.error, typed, helpers));
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={schema}
      onSubmit={submit}
    >
      {({ isSubmitting, values, errors }) => (
        <Dialog open title="Edit profile" onClose={onClose} locked={isSubmitting}>
          <Form className="grid gap-5">
            <div ref={first} className="grid gap-5">
              <TextField name="displayName" label="Display name" autoComplete="name" required />
              <TextField
                name="photoURL"
                label="Photo URL"
                type="url"
                inputMode="url"
                placeholder="https://"
                hint="The address of a picture on the web. Without one your initials are shown."
              />
            </div>
            <div className="flex items-center gap-4">
              <Avatar
                user={{
                  ...user,
                  displayName: values.displayName,
                  photoURL: errors.photoURL ? null : values.photoURL.trim() || null,
                }}
                className="size-16 text-2xl"
              />
              <span className="text-sm text-muted">How you will be shown</span>
            </div>
            {failure && <Alert tone="error">{failure}</Alert>}
            <div className="flex flex-wrap justify-end gap-3">
              <Button look="outline" onClick={onClose} disabled={isSubmitting}>
                Cancel
              </Button>
              <Button type="submit" busy={isSubmitting}>
                Save
              </Button>
            </div>
          </Form>
        </Dialog>
      )}
    </Formik>
  );
}
