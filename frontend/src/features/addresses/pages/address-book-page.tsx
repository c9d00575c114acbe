import { useRef, useState } from 'react';
import { useUser } from '@/features/accounts/session/use-session';
import { usePageTitle } from '@/lib/use-page-title';
import { Answered } from '@/ui/answered';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Empty } from '@/ui/empty';
import { useListAddressesQuery, useListCountriesQuery } from '../api';
import { Book } from '../components/book';
import { BookForm } from '../components/lazy-book-form';
import { fieldMessages, messages } from '../messages';

/** As many as a book holds. */
const MOST = 200;

function AddAddress({ known }: { known: number }) {
  const user = useUser();
  const countries = useListCountriesQuery();
  const [open, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  if (known >= MOST) return <p className="mb-6 text-muted">{messages.full(MOST)}</p>;
  return (
    <>
      <Button
        ref={opener}
        data-commands
        className="mb-6"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {messages.add}
      </Button>
      <Dialog open={open} wide title={messages.addTitle} onClose={() => setOpen(false)}>
        <Answered answer={countries} loading={fieldMessages.loading} failed={fieldMessages.failed}>
          {(data) => (
            <BookForm
              countries={data}
              name={user?.displayName ?? ''}
              isFirst={known === 0}
              onClose={() => setOpen(false)}
            />
          )}
        </Answered>
      </Dialog>
    </>
  );
}

/** The addresses that whoever is signed in sends to. */
export default function AddressBookPage() {
  usePageTitle(messages.title);
  const answer = useListAddressesQuery(undefined, { refetchOnMountOrArgChange: true });
  const countries = useListCountriesQuery();
  // Without their formats addresses are shown all the same.
  const waits = countries.isLoading;
  return (
    <>
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{messages.title}</h1>
      <p className="mb-6 text-muted">{messages.intro}</p>
      <AddAddress known={answer.data?.length ?? 0} />
      <Answered
        answer={waits ? { ...answer, data: undefined, isError: false } : answer}
        loading={messages.loading}
        failed={messages.failed}
        rows={3}
      >
        {(entries) =>
          entries.length === 0 ? (
            <Empty title={messages.empty}>{messages.emptyHint}</Empty>
          ) : (
            <Book entries={entries} countries={countries.data ?? []} />
          )
        }
      </Answered>
    </>
  );
}
