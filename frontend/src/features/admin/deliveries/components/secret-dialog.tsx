import { useState } from 'react';
import type { AddedWebhookEndpoint } from '@/api/types';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Field } from '@/ui/field';
import { messages } from '../messages';

const { secret: text } = messages;

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
      setCopied(text.copied);
    } catch {
      // A page that was not opened over https has no clipboard.
      setCopied(text.copyByHand);
    }
  };

  return (
    <Dialog
      open={added !== null}
      title={text.title}
      onClose={() => {
        setCopied(null);
        onClose();
      }}
      wide
      footer={<Button onClick={copy}>{text.copy}</Button>}
    >
      <p className="mb-4 wrap-anywhere">{text.explain(added?.url ?? '')}</p>
      <Field label={text.label}>
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
