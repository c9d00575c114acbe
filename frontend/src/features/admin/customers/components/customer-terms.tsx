import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { problemOf } from '@/api/problem';
import { useSessionDispatch } from '@/features/accounts/session/use-session';
import { useListDocumentsQuery } from '@/features/documents/api';
import { DocumentList } from '@/features/documents/components/document-list';
import { listed } from '@/features/documents/components/listed';
import { messages as documentMessages } from '@/features/documents/messages';
import { Answered } from '@/ui/answered';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { notify } from '@/ui/notify';
import {
  getListAccounts,
  setListAccounts,
  useGetListAccountsQuery,
  useListPriceListsQuery,
} from '../../prices/api';
import { termsOf } from '../../prices/components/price-lists';
import { messages as prices } from '../../prices/messages';
import type { PriceList } from '../../prices/wire';
import { validityOf } from '../../shared/days';
import { useListExemptionsQuery } from '../../tax/api';
import { AddExemption, ExemptionTable } from '../../tax/components/exemption-list';
import { messages as tax } from '../../tax/messages';
import { messages } from '../messages';
import { CustomerAddresses } from './customer-addresses';

const { terms: text } = messages;
const section = 'grid grid-cols-[minmax(0,1fr)] gap-4';

/** As many lists as are asked one by one whether they are the customer's. */
const MOST_LISTS = 30;

/** Gives lists to a customer, and takes them away: by whom a list is used is written as a whole, so it is read right before. */
function useLists(email: string) {
  const dispatch = useSessionDispatch();
  const change = async (list: PriceList, has: boolean) => {
    const read = await dispatch(getListAccounts.initiate(list._id, { forceRefetch: true }));
    if (!read.data) return notify.error(problemOf(read.error).message);
    const { emails } = read.data;
    if (has && emails.includes(email)) return notify.success(text.hasIt(list.name));
    const others = emails.filter((each) => each !== email);
    const { error } = await dispatch(
      setListAccounts.initiate({ id: list._id, emails: has ? [...others, email] : others }),
    );
    if (error) return notify.error(problemOf(error).message);
    return notify.success(has ? text.given(list.name) : text.taken(list.name));
  };
  return {
    give: (list: PriceList) => change(list, true),
    take: (list: PriceList) => change(list, false),
  };
}

/** One line for a list that the customer has; nothing for another. */
function ListOf({ list, email }: { list: PriceList; email: string }) {
  const { data } = useGetListAccountsQuery(list._id, { refetchOnMountOrArgChange: true });
  const { take } = useLists(email);
  if (!data?.emails.includes(email)) return null;
  return (
    <li className="flex flex-wrap items-center justify-between gap-3">
      <span>
        <Link
          to={`/dashboard/prices?list=${encodeURIComponent(list._id)}`}
          className="link-accent inline-flex min-h-11 items-center"
        >
          {list.name}
        </Link>{' '}
        <span className="text-muted">
          {termsOf(list)} · {validityOf(list)}
        </span>
      </span>
      <Button variant="ghost" onClick={() => void take(list)}>
        {text.take} <span className="sr-only">{list.name}</span>
      </Button>
    </li>
  );
}

function GiveList({ lists, email }: { lists: readonly PriceList[]; email: string }) {
  const { give } = useLists(email);
  const [chosen, setChosen] = useState('');
  const [busy, setBusy] = useState(false);
  const list = lists.find(({ _id }) => String(_id) === chosen);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!list) return;
    setBusy(true);
    await give(list);
    setBusy(false);
    setChosen('');
  };
  return (
    <form onSubmit={(event) => void submit(event)} className="grid max-w-xl gap-3">
      <Field label={text.give}>
        {(fieldProps) => (
          <select
            {...fieldProps}
            className="select"
            value={chosen}
            onChange={(event) => setChosen(event.target.value)}
          >
            <option value="">{text.choose}</option>
            {lists.map(({ _id, name }) => (
              <option key={_id} value={String(_id)}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Button
        type="submit"
        variant="outline"
        busy={busy}
        disabled={!list}
        className="justify-self-start"
      >
        {text.giving}
      </Button>
    </form>
  );
}

/** The price lists by which a customer buys. */
function Prices({ email }: { email: string }) {
  const answer = useListPriceListsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <section aria-labelledby="prices" className={section}>
      <h2 id="prices" className="text-2xl">
        {text.prices}
      </h2>
      <p className="text-muted">{text.pricesHint}</p>
      <Answered answer={answer} loading={prices.loading} failed={prices.failed} rows={1}>
        {(lists) => (
          <>
            <ul aria-label={text.prices} className="divide-y divide-base-300">
              {lists
                .filter(({ accounts }) => accounts > 0)
                .slice(0, MOST_LISTS)
                .map((list) => (
                  <ListOf key={list._id} list={list} email={email} />
                ))}
            </ul>
            {lists.length > 0 && <GiveList lists={lists} email={email} />}
          </>
        )}
      </Answered>
    </section>
  );
}

function Exemptions({ email }: { email: string }) {
  const answer = useListExemptionsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <section aria-labelledby="exemptions" className={section}>
      <h2 id="exemptions" className="text-2xl">
        {text.exemptions}
      </h2>
      <Answered
        answer={answer}
        loading={tax.exemptions.loading}
        failed={tax.exemptions.failed}
        rows={1}
      >
        {(exemptions) => {
          const own = exemptions.filter((exemption) => exemption.email === email);
          if (own.length === 0) return <p className="text-muted">{text.noExemptions}</p>;
          return <ExemptionTable exemptions={own} named={false} />;
        }}
      </Answered>
      <AddExemption email={email} />
    </section>
  );
}

function Documents({ email }: { email: string }) {
  const answer = useListDocumentsQuery(email, { refetchOnMountOrArgChange: true });
  return (
    <section aria-labelledby="documents" className={section}>
      <h2 id="documents" className="text-2xl">
        {text.documents}
      </h2>
      <Answered
        answer={answer}
        loading={documentMessages.loading}
        failed={documentMessages.failed}
        rows={2}
      >
        {(documents) =>
          documents.length === 0 ? (
            <p className="text-muted">{text.noDocuments}</p>
          ) : (
            <div className="card-surface p-4 sm:p-6">
              <DocumentList documents={documents.map(listed)} />
            </div>
          )
        }
      </Answered>
    </section>
  );
}

/** What is particular to a customer: their prices, where they pay no tax, where they have things sent, and what was issued to them. */
export function CustomerTerms({ email }: { email: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Prices email={email} />
      <Exemptions email={email} />
      <CustomerAddresses email={email} />
      <Documents email={email} />
    </div>
  );
}
