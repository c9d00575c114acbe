import { problemOf } from '@/api/problem';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { Dialog } from '@/ui/dialog';
import { DialogButton } from '@/ui/dialog-button';
import { notify } from '@/ui/notify';
import { useRemoveAddressMutation, useSaveAddressMutation } from '../api';
import { addressLines } from '../format';
import { messages } from '../messages';
import type { BookAddress, Country } from '../wire';
import { BookForm } from './lazy-book-form';

/** Lines that a reader of screens hears with a pause between them. */
function Lines({ entry, countries }: { entry: BookAddress; countries: readonly Country[] }) {
  return (
    <p>
      {addressLines(entry, countries).map((line) => (
        <span key={line} className="block">
          {line}
        </span>
      ))}
      {entry.phone && <span className="block text-muted">{entry.phone}</span>}
    </p>
  );
}

function MakeDefault({ entry }: { entry: BookAddress }) {
  const [save, { isLoading }] = useSaveAddressMutation();
  const { _id: id, name } = entry;
  const make = async () => {
    const { _id, ...address } = entry;
    const { error } = await save({ id, address: { ...address, isDefault: true } });
    if (error) notify.error(messages.defaultFailed(problemOf(error).message));
    else notify.success(messages.defaultChanged(name));
  };
  return (
    <Button variant="ghost" busy={isLoading} onClick={() => void make()}>
      {messages.makeDefault} <span className="sr-only">{name}</span>
    </Button>
  );
}

function Entry({ entry, countries }: { entry: BookAddress; countries: readonly Country[] }) {
  const [remove] = useRemoveAddressMutation();
  const { _id: id, name, line1, isDefault } = entry;
  const context = `${name}, ${line1}`;
  return (
    <li className="card-surface flex flex-col gap-4 p-4 sm:p-6">
      <div className="flex-1 wrap-anywhere">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 className="text-xl normal-case">{name}</h2>
          {isDefault && <Badge tone="accent">{messages.default}</Badge>}
        </div>
        <Lines entry={entry} countries={countries} />
      </div>
      <div className="flex flex-wrap gap-2">
        <DialogButton label={messages.edit} context={context}>
          {(close) => (
            <Dialog open wide title={messages.editTitle} onClose={close}>
              <BookForm entry={entry} countries={countries} onClose={close} />
            </Dialog>
          )}
        </DialogButton>
        <ConfirmedButton
          label={messages.remove}
          context={context}
          question={messages.question(name, line1)}
          note={messages.note}
          danger
          onConfirm={() => remove(id)}
          // Gone already, from another browser: that is what was wanted.
          messageOf={({ status, message }) => (status === 404 ? null : message)}
          onDone={() => notify.success(messages.removed)}
        />
        {!isDefault && <MakeDefault entry={entry} />}
      </div>
    </li>
  );
}

interface BookProps {
  entries: readonly BookAddress[];
  countries: readonly Country[];
}

/** The addresses of a book, the default first, and what can be done with each. */
export function Book({ entries, countries }: BookProps) {
  const sorted = entries.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault));
  return (
    <ul aria-label={messages.list} className="grid gap-4 md:grid-cols-2">
      {sorted.map((entry) => (
        <Entry key={entry._id} entry={entry} countries={countries} />
      ))}
    </ul>
  );
}
