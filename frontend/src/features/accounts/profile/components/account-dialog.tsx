import { Formik, type FormikHelpers, useFormikContext } from 'formik';
import { ImageUp } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { problemOf } from '@/api/problem';
import type { Person } from '@/api/types';
import { useUpdateMeMutation } from '@/features/accounts/session/api';
import { Avatar } from '@/features/accounts/session/components/avatar';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { DialogActions } from '@/ui/dialog-actions';
import { Form, TextField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { useUploadPhotoMutation } from '../api';
import { dialogMessages, accountDialogMessages as messages } from '../messages';
import { NO_USER, notifyNoUser } from '../no-user';
import { accountSchema } from '../schema';

interface AccountValues {
  displayName: string;
  photoURL: string;
}

interface AccountDialogProps {
  user: Person;
  onSaved: (user: Person) => void;
  /** A photo is uploaded as soon as it is chosen; the dialog stays. */
  onUploaded: (user: Person) => void;
  onClose: () => void;
}

/** The photo as others will see it, with the ways to upload another one and to take it away. */
function PhotoField({
  user,
  onUploaded,
  onFailure,
}: {
  user: Person;
  onUploaded: (user: Person) => void;
  onFailure: (message: string | null) => void;
}) {
  const { isSubmitting, values, errors, setFieldValue } = useFormikContext<AccountValues>();
  const photo = useRef<HTMLDivElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [uploadPhoto, { isLoading: uploading }] = useUploadPhotoMutation();

  const upload = async (picture: File | undefined) => {
    if (!picture) return;
    onFailure(null);
    const { data, error } = await uploadPhoto(picture);
    if (data) {
      onUploaded(data);
      void setFieldValue('photoURL', data.photoURL ?? '');
    } else onFailure(notifyNoUser(error) ? NO_USER : problemOf(error).message);
  };

  return (
    <>
      <div ref={photo}>
        <TextField
          name="photoURL"
          label={messages.photoUrl}
          type="url"
          inputMode="url"
          placeholder="https://"
          hint={messages.photoHint}
        />
      </div>
      <div className="flex flex-wrap items-center gap-4">
        <Avatar
          user={{
            ...user,
            displayName: values.displayName,
            photoURL: errors.photoURL ? null : values.photoURL.trim() || null,
          }}
          className="size-16 text-2xl"
        />
        <span className="text-sm whitespace-nowrap text-muted">{messages.preview}</span>
        <input
          ref={picker}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          aria-label={messages.photoFile}
          className="hidden"
          onChange={(event) => {
            void upload(event.target.files?.[0]);
            event.target.value = '';
          }}
        />
        <Button
          variant="outline"
          busy={uploading}
          disabled={isSubmitting}
          onClick={() => picker.current?.click()}
        >
          <ImageUp aria-hidden="true" className="size-4" />
          {messages.upload}
        </Button>
        {values.photoURL !== '' && (
          <Button
            variant="ghost"
            className="ml-auto"
            disabled={isSubmitting}
            onClick={() => {
              void setFieldValue('photoURL', '');
              // This button goes away with the photo; the keyboard stays in the form.
              photo.current?.querySelector('input')?.focus();
            }}
          >
            {messages.remove}
          </Button>
        )}
      </div>
    </>
  );
}

/** Display name and photo. A photo is only sent when it was changed; an emptied field takes it away. */
export default function AccountDialog({ user, onSaved, onUploaded, onClose }: AccountDialogProps) {
  const first = useRef<HTMLDivElement>(null);
  const [updateMe] = useUpdateMeMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const initialValues = useMemo<AccountValues>(
    () => ({ displayName: user.displayName, photoURL: user.photoURL ?? '' }),
    [user],
  );

  // Browsers focus the close button first; a form begins at its first field.
  useEffect(() => first.current?.querySelector('input')?.focus(), []);

  const submit = async (typed: AccountValues, helpers: FormikHelpers<AccountValues>) => {
    setFailure(null);
    const displayName = typed.displayName.trim();
    const photoURL = typed.photoURL.trim();
    const answer = await updateMe({
      // `null` takes the photo away; left out, it stays.
      rename: {
        displayName,
        ...(photoURL !== initialValues.photoURL ? { photoURL: photoURL || null } : {}),
      },
    });
    if (answer.data) onSaved(answer.data);
    else if (notifyNoUser(answer.error)) setFailure(NO_USER);
    else setFailure(takeRefusal(answer.error, typed, helpers));
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={accountSchema}
      onSubmit={submit}
    >
      {({ isSubmitting }) => (
        <Dialog open title={messages.title} onClose={onClose} locked={isSubmitting}>
          <Form className="grid gap-5">
            <div ref={first}>
              <TextField name="displayName" label={messages.name} autoComplete="name" required />
            </div>
            <PhotoField user={user} onUploaded={onUploaded} onFailure={setFailure} />
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
