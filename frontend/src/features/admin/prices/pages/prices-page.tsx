import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { usePageTitle } from '@/lib/use-page-title';
import { Answered } from '@/ui/answered';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { Empty } from '@/ui/empty';
import { validityOf } from '../../shared/days';
import { useListPriceListsQuery } from '../api';
import { ListAccounts } from '../components/list-accounts';
import { ListForm } from '../components/list-form';
import { ListPrices } from '../components/list-prices';
import { EditList, PriceLists, RemoveList, termsOf } from '../components/price-lists';
import { messages } from '../messages';
import type { PriceList } from '../wire';

function OpenList({ list, onBack }: { list: PriceList | undefined; onBack: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const back = (
    <Button variant="outline" className="justify-self-start" onClick={onBack}>
      {messages.back}
    </Button>
  );
  if (!list) {
    return (
      <Empty title={messages.gone} action={back}>
        {messages.goneHint}
      </Empty>
    );
  }
  return (
    <section aria-labelledby="open-list" className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <div className="grid gap-3">
        <h2
          id="open-list"
          ref={heading}
          tabIndex={-1}
          className="text-3xl normal-case break-words focus-visible:outline-none"
        >
          {list.name}
        </h2>
        <p className="text-muted">
          {termsOf(list)} · {validityOf(list)} · {messages.customers(list.accounts)}
        </p>
        <div className="flex flex-wrap gap-2">
          <EditList list={list} />
          <RemoveList list={list} onDone={onBack} />
        </div>
      </div>
      <ListAccounts id={list._id} />
      {list.percent == null && <ListPrices id={list._id} />}
      {back}
    </section>
  );
}

function AddList({ onAdded }: { onAdded: (id: string) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button data-commands className="mb-6" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {messages.add}
      </Button>
      <Dialog open={open} wide title={messages.addTitle} onClose={() => setOpen(false)}>
        <ListForm
          onClose={() => setOpen(false)}
          onSaved={(id) => id !== undefined && onAdded(String(id))}
        />
      </Dialog>
    </>
  );
}

/** Price lists, or the one that the address names. */
export default function PricesPage() {
  usePageTitle(messages.heading);
  const [params, setParams] = useSearchParams();
  const answer = useListPriceListsQuery(undefined, { refetchOnMountOrArgChange: true });
  const opened = params.get('list');
  const open = (list: string) => setParams({ list });
  return (
    <>
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{messages.heading}</h1>
      <p className="mb-6 max-w-prose text-muted">{messages.intro}</p>
      {opened === null && <AddList onAdded={open} />}
      <Answered answer={answer} loading={messages.loading} failed={messages.failed}>
        {(lists) => {
          if (opened !== null) {
            const list = lists.find(({ _id }) => String(_id) === opened);
            // A list that was added just now comes with the next answer.
            if (!list && answer.isFetching) return null;
            return <OpenList key={opened} list={list} onBack={() => setParams({})} />;
          }
          return lists.length === 0 ? (
            <Empty title={messages.empty}>{messages.emptyHint}</Empty>
          ) : (
            <PriceLists lists={lists} onOpen={open} />
          );
        }}
      </Answered>
    </>
  );
}
