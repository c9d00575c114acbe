import { ListPlus } from 'lucide-react';
import { useState } from 'react';
import { problemOf } from '@/api/problem';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { notify } from '@/ui/notify';
import { useListListsQuery } from '../api';
import { messages } from '../messages';
import { type Lines, summed, useSaveAsList } from '../use-save-as-list';
import type { ListedList } from '../wire';
import { NameForm } from './lazy-forms';

const { saveAs: text } = messages;

/** The lists that there are, to add to one of them. */
function Existing({ lines, onDone }: { lines: Lines; onDone: (name: string) => void }) {
  const { data: lists = [] } = useListListsQuery();
  const { addTo } = useSaveAsList();
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  if (lists.length === 0) return null;
  const add = async ({ _id, name }: ListedList) => {
    setBusy(_id);
    setFailure(null);
    const error = await addTo(_id, lines);
    setBusy(null);
    if (error) setFailure(problemOf(error).message);
    else onDone(name);
  };
  return (
    <section aria-label={text.existing} className="mt-6 border-t border-base-300 pt-4">
      <h3 className="mb-3 text-lg font-semibold">{text.existing}</h3>
      {failure && <Alert tone="error">{failure}</Alert>}
      <ul className="grid max-h-72 gap-2 overflow-y-auto p-1">
        {lists.map((list) => (
          <li key={list._id} className="flex flex-wrap items-center justify-between gap-3">
            <span className="min-w-0 wrap-anywhere">{list.name}</span>
            <Button
              variant="outline"
              busy={busy === list._id}
              disabled={busy !== null}
              aria-label={text.addTo(list.name)}
              onClick={() => void add(list)}
            >
              {text.add}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function SaveDialog({ lines, onClose }: { lines: Lines; onClose: () => void }) {
  const keys = useIdempotencyKeys();
  const { saveAs } = useSaveAsList();
  const done = (name: string) => {
    onClose();
    notify.success(text.saved(name));
  };
  const save = async (name: string) => {
    const error = await saveAs(name, lines, keys.keyFor({ name, lines }));
    if (!error) {
      keys.finish();
      done(name);
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
      <Existing lines={lines} onDone={done} />
    </Dialog>
  );
}

interface SaveAsListProps {
  /** What is kept; without any there is no button. */
  lines: Lines;
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
