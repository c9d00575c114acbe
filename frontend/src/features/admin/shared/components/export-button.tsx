import { Download } from 'lucide-react';
import { type CallError, problemOf } from '@/api/problem';
import { Button } from '@/ui/button';
import { notify } from '@/ui/notify';

interface ExportButtonProps {
  /** What goes into the file, as `orders`. */
  rows: string;
  busy: boolean;
  /** Fetches and saves; answers what went wrong, if anything did. */
  onExport: () => PromiseLike<{ error?: CallError | undefined }>;
}

/** Hands the list as it is filtered and sorted, all pages of it, to the browser's downloads. */
export function ExportButton({ rows, busy, onExport }: ExportButtonProps) {
  const save = async () => {
    const { error } = await onExport();
    if (error) {
      notify.error(`The ${rows} were not exported. ${problemOf(error).message}`);
    }
  };
  return (
    <Button variant="outline" busy={busy} onClick={save}>
      {!busy && <Download aria-hidden="true" className="size-5" />}
      Export CSV
    </Button>
  );
}
