import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { hasStatus } from '@/api/problem';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { usePageTitle } from '@/lib/use-page-title';
import { Answered } from '@/ui/answered';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Empty } from '@/ui/empty';
import { useAddListMutation, useGetListQuery, useListListsQuery } from '../api';
import { ListEditor, NameForm } from '../components/lazy-forms';
import { Lists } from '../components/lists';
import { messages } from '../messages';
import type { SavedList } from '../wire';

function AddList({ onAdded }: { onAdded: (id: string) => void }) {
  const [open, setOpen] = useState(false);
  const keys = useIdempotencyKeys();
  const [add] = useAddListMutation();
  const close = () => setOpen(false);
  const save = async (name: string) => {
    const list = { name, lines: [] };
    const { data, error } = await add({ ...list, 'Idempotency-Key': keys.keyFor(list) });
    if (data) {
      keys.finish();
      close();
      onAdded(data.insertedId);
    }
    return error;
  };
  return (
    <>
      <Button data-commands className="mb-6" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {messages.add}
      </Button>
      <Dialog open={open} title={messages.addTitle} onClose={close}>
        <NameForm label={messages.create} save={save} onClose={close} />
      </Dialog>
    </>
  );
}

function AllLists() {
  const answer = useListListsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <Answered answer={answer} loading={messages.loading} failed={messages.failed} rows={3}>
      {(lists) =>
        lists.length === 0 ? (
          <Empty title={messages.empty}>{messages.emptyHint}</Empty>
        ) : (
          <Lists lists={lists} />
        )
      }
    </Answered>
  );
}

function OneList({ id, onBack }: { id: string; onBack: () => void }) {
  const answer = useGetListQuery(id, { refetchOnMountOrArgChange: true });
  const { data, error, isError, isFetching } = answer;
  // What the form begins with is never an answer from before, nor one that comes while it is filled in.
  const [known, setKnown] = useState<SavedList>();
  if (!known && data && !isFetching && !isError) setKnown(data);
  if (isError && !isFetching && hasStatus(error, 404)) {
    return (
      <Empty
        title={messages.one.notFound}
        action={
          <Button variant="outline" onClick={onBack}>
            {messages.one.back}
          </Button>
        }
      >
        {messages.one.notFoundHint}
      </Empty>
    );
  }
  return (
    <Answered
      answer={{ ...answer, data: known && { ...known, name: data?.name ?? known.name } }}
      loading={messages.one.loading}
      failed={messages.one.failed}
    >
      {(list) => <ListEditor list={list} />}
    </Answered>
  );
}

/** Saved lists, or the one that the address names. */
export default function ListsPage() {
  usePageTitle(messages.title);
  const [params, setParams] = useSearchParams();
  const opened = params.get('list');
  return (
    <>
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{messages.title}</h1>
      <p className="mb-6 max-w-prose text-muted">{messages.intro}</p>
      {opened === null ? (
        <>
          <AddList onAdded={(list) => setParams({ list })} />
          <AllLists />
        </>
      ) : (
        <OneList key={opened} id={opened} onBack={() => setParams({})} />
      )}
    </>
  );
}
