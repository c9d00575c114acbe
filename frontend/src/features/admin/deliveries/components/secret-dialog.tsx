import { useState } from 'react';
import type { AddedWebhookEndpoint } from '@/api/types';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';

interface SecretDialogProps {
  added: AddedWebhookEndpoint | null;
  onClose: () => void;
}

/** The one time at which a webhook's secret is shown. */
export function SecretDialog({ added, onClose }: SecretDialogProps) {
  const [copied, setCopied] = useState<string | null>(null);

  const copy = async () => {
    if (!added) return;
    try {
      await navigator.clipboard.writeText(added.secret);
      setCopied('Copied');
    } catch {
      // A page that was not opened over https has no clipboard.
      setCopied('Please select it and copy it by hand');
    }
  };

  return (
    <Dialog
      open={added !== null}
      title="Webhook added"
      onClose={() => {
        setCopied(null);
        onClose();
      }}
      wide
      footer={<Button onClick={copy}>Copy secret</Button>}
    >
      <p className="mb-4">
        Every call to <span className="break-all">{added?.url}</span> is signed with this secret. It
        is shown this once: keep it where that program finds it.
      </p>
      <Field label="Secret">
        {(fieldProps) => (
          <input
            {...fieldProps}
            readOnly
            className="input w-full"
            value={added?.secret ?? ''}
            onFocus={(event) => event.target.select()}
          />
        )}
      </Field>
      <p role="status" className="mt-2 min-h-6 text-sm">
        {copied}
      </p>
    </Dialog>
  );
}
