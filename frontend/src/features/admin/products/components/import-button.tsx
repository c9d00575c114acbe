import { Upload } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/ui/button';
import { messages } from '../messages';
import { ImportDialog } from './import-dialog';

/** The button, and its dialog. */
export function ImportButton({ onImported }: { onImported: (count: number) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button data-commands variant="outline" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Upload aria-hidden="true" className="size-5" />
        {messages.manage.import}
      </Button>
      {open && (
        <ImportDialog
          onClose={() => setOpen(false)}
          onImported={(count) => {
            setOpen(false);
            onImported(count);
          }}
        />
      )}
    </>
  );
}
