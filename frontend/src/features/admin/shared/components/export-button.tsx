import { Download } from 'lucide-react';
import { type CallError, problemOf } from '@/api/problem';
import { Button } from '@/ui/button';
import { notify } from '@/ui/notify';
import { messages } from '../messages';

interface ExportButtonProps {
  busy: boolean;
  /** Fetches and saves; answers what went wrong, if anything did. */
  onExport: () => PromiseLike<{ error?: CallError | undefined }>;
}

/** Hands the list as it is filtered and sorted, all pages of it, to the browser's downloads. */
export function ExportButton({ busy, onExport }: ExportButtonProps) {
  const save = async () => {
    const { error } = await onExport();
    if (error) notify.error(messages.exportFailed(problemOf(error).message));
  };
  return (
    <Button data-commands variant="outline" busy={busy} onClick={save}>
      {!busy && <Download aria-hidden="true" className="size-5" />}
      {messages.export}
    </Button>
  );
}
