import { Formik, type FormikHelpers } from 'formik';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { paths } from '@/lib/paths';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { DialogActions } from '@/ui/dialog-actions';
import { Form } from '@/ui/form';
import { PasswordField } from '@/ui/password-field';
import { takeRefusal } from '@/ui/refusal';
import { useChangePasswordMutation } from '../api';
import { dialogMessages, passwordDialogMessages as messages } from '../messages';
import { NO_USER, notifyNoUser } from '../no-user';
import { passwordSchema } from '../schema';

const blank = { currentPassword: '', newPassword: '' };
type PasswordValues = typeof blank;

interface PasswordDialogProps {
  onChanged: () => void;
  onClose: () => void;
}

/** Another password, by the one that the account has. */
export default function PasswordDialog({ onChanged, onClose }: PasswordDialogProps) {
  const first = useRef<HTMLDivElement>(null);
  const keys = useIdempotencyKeys();
  const [change] = useChangePasswordMutation();
  const [failure, setFailure] = useState<string | null>(null);

  // Browsers focus the close button first; a form begins at its first field.
  useEffect(() => first.current?.querySelector('input')?.focus(), []);

  const submit = async (typed: PasswordValues, helpers: FormikHelpers<PasswordValues>) => {
    setFailure(null);
    const answer = await change({
      passwordChange: typed,
      'Idempotency-Key': keys.keyFor(typed),
    });
    if (notifyNoUser(answer.error)) setFailure(NO_USER);
    else if (answer.error) setFailure(takeRefusal(answer.error, typed, helpers, keys));
    else {
      keys.finish();
      onChanged();
    }
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={blank}
      validationSchema={passwordSchema}
      onSubmit={submit}
    >
      {({ isSubmitting }) => (
        <Dialog open title={messages.title} onClose={onClose} locked={isSubmitting}>
          <Form className="grid gap-5">
            <div ref={first} className="grid gap-5">
              <PasswordField
                name="currentPassword"
                label={messages.current}
                autoComplete="current-password"
                hint={
                  <>
                    {messages.forgotten}{' '}
                    <Link to={paths.forgotPassword} className="link-accent">
                      {messages.getLink}
                    </Link>
                  </>
                }
              />
              <PasswordField
                name="newPassword"
                label={messages.new}
                autoComplete="new-password"
                hint={messages.newHint}
              />
            </div>
            {failure && <Alert tone="error">{failure}</Alert>}
            <DialogActions>
              <Button variant="outline" onClick={onClose} disabled={isSubmitting}>
                {dialogMessages.cancel}
              </Button>
              <Button type="submit" busy={isSubmitting}>
                {messages.action}
              </Button>
            </DialogActions>
          </Form>
        </Dialog>
      )}
    </Formik>
  );
}
