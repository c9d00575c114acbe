import { ListPlus } from 'lucide-react';
import { useState } from 'react';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { notify } from '@/ui/notify';
import { messages } from '../messages';
import { summed, useSaveAsList } from '../use-save-as-list';
import type { SentList } from '../wire';
import { NameForm } from './lazy-forms';

const { saveAs: text } = messages;

function SaveDialog({ lines, onClose }: { lines: SentList['lines']; onClose: () => void }) {
  const keys = useIdempotencyKeys();
  const { saveAs } = useSaveAsList();
  const save = async (name: string) => {
    const error = await saveAs(name, lines, keys.keyFor({ name, lines }));
    if (!error) {
      keys.finish();
      onClose();
      notify.success(text.saved(name));
    }
    return error;
  };
  return (
    <Dialog open title={text.title} onClose={onClose}>
      <NameForm
        label={text.save}
        hint={text.hint(summed(lines).length)}
        save={save}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface SaveAsListProps {
  /** What is kept; without any there is no button. */
  lines: SentList['lines'];
  variant?: 'outline' | 'ghost';
}

/** Keeps lines of a basket, a quick order or a purchase as a list. For accounts. */
export function SaveAsList({ lines, variant = 'outline' }: SaveAsListProps) {
  const [open, setOpen] = useState(false);
  if (lines.length === 0) return null;
  return (
    <>
      <Button variant={variant} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <ListPlus aria-hidden="true" className="size-5" />
        {text.button}
      </Button>
      {open && <SaveDialog lines={lines} onClose={() => setOpen(false)} />}
    </>
  );
}
