import { Formik, type FormikHelpers } from 'formik';
import { useEffect, useRef, useState } from 'react';
import { object, string } from 'yup';
import type { AppKey } from '@/api/types';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { DialogActions } from '@/ui/dialog-actions';
import { Form, TextField } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { Skeleton } from '@/ui/skeleton';
import { useBeginAppMutation, useConfirmAppMutation } from '../api';
import { setupMessages as messages } from '../messages';
import { Refusal } from './refusal';

const schema = object({ code: string().trim().required(messages.codeRequired) });
const blank = { code: '' };

/** The light modules around a QR code without which readers do not find it. */
const QUIET = 4;

function QrCode({ qr: { size, path } }: { qr: AppKey['qr'] }) {
  const whole = size + 2 * QUIET;
  return (
    <svg
      role="img"
      aria-label={messages.qr}
      viewBox={`${-QUIET} ${-QUIET} ${whole} ${whole}`}
      shapeRendering="crispEdges"
      width={208}
      height={208}
      className="rounded-box"
    >
      {/* Readers expect dark on light, whatever the page's colors. */}
      <rect x={-QUIET} y={-QUIET} width={whole} height={whole} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

interface AppSetupProps {
  /** With the recovery codes, which there are for the first factor only. */
  onAdded: (codes: string[]) => void;
  onCancel: () => void;
}

/** Sets an authenticator app up: the key to scan, and the code that shows that it was. */
export function AppSetup({ onAdded, onCancel }: AppSetupProps) {
  const [begin, { data: key, error }] = useBeginAppMutation();
  const [confirm] = useConfirmAppMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const begun = useRef(false);
  useEffect(() => {
    // One key: what React does twice in development would make the first one void.
    if (begun.current) return;
    begun.current = true;
    void begin();
  }, [begin]);

  const submit = async (typed: typeof blank, helpers: FormikHelpers<typeof blank>) => {
    setFailure(null);
    const answer = await confirm({ code: typed.code.replace(/\s/g, '') });
    if (answer.data) onAdded(answer.data.recoveryCodes);
    else setFailure(takeRefusal(answer.error, typed, helpers));
  };

  if (error) return <Refusal error={error} />;
  if (!key) {
    return (
      <div role="status" aria-label={messages.preparing}>
        <Skeleton className="h-64" />
      </div>
    );
  }
  return (
    <Formik
      initialValues={blank}
      validateOnBlur={false}
      validationSchema={schema}
      onSubmit={submit}
    >
      {({ isSubmitting }) => (
        <Form className="grid gap-5">
          <p className="text-muted">{messages.scan}</p>
          <div className="flex flex-wrap items-center gap-6">
            <QrCode qr={key.qr} />
            <div className="grid min-w-0 flex-1 basis-60 gap-2 text-sm">
              <p className="text-muted">{messages.byHand}</p>
              <code className="font-semibold break-words">
                {key.secret.replace(/.{4}/g, '$& ')}
              </code>
              <a
                href={key.link}
                className="link-accent inline-flex min-h-11 items-center justify-self-start"
              >
                {messages.openApp}
              </a>
            </div>
          </div>
          <TextField
            name="code"
            label={messages.code}
            hint={messages.codeHint}
            inputMode="numeric"
            autoComplete="one-time-code"
          />
          {failure && <Alert tone="error">{failure}</Alert>}
          <DialogActions>
            <Button variant="outline" onClick={onCancel} disabled={isSubmitting}>
              {messages.cancel}
            </Button>
            <Button type="submit" busy={isSubmitting}>
              {messages.turnOn}
            </Button>
          </DialogActions>
        </Form>
      )}
    </Formik>
  );
}
