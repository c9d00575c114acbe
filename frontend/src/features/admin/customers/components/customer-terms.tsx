import { Link } from 'react-router-dom';
import { useListDocumentsQuery } from '@/features/documents/api';
import { DocumentList } from '@/features/documents/components/document-list';
import { listed } from '@/features/documents/components/listed';
import { messages as documentMessages } from '@/features/documents/messages';
import { Answered } from '@/ui/answered';
import { useGetListAccountsQuery, useListPriceListsQuery } from '../../prices/api';
import { termsOf } from '../../prices/components/price-lists';
import { messages as prices } from '../../prices/messages';
import type { PriceList } from '../../prices/wire';
import { validityOf } from '../../shared/days';
import { useListExemptionsQuery } from '../../tax/api';
import { AddExemption, ExemptionTable } from '../../tax/components/exemption-list';
import { messages as tax } from '../../tax/messages';
import { messages } from '../messages';

const { terms: text } = messages;
const section = 'grid grid-cols-[minmax(0,1fr)] gap-4';

/** As many lists as are asked one by one whether they are the customer's. */
const MOST_LISTS = 30;

/** One line for a list that the customer has; nothing for another. */
function ListOf({ list, email }: { list: PriceList; email: string }) {
  const { data } = useGetListAccountsQuery(list._id, { refetchOnMountOrArgChange: true });
  if (!data?.emails.includes(email)) return null;
  return (
    <li>
      <Link
        to={`/dashboard/prices?list=${encodeURIComponent(list._id)}`}
        className="link-accent inline-flex min-h-11 items-center"
      >
        {list.name}
      </Link>{' '}
      <span className="text-muted">
        {termsOf(list)} · {validityOf(list)}
      </span>
    </li>
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
          <ul aria-label={text.prices}>
            {lists
              .filter(({ accounts }) => accounts > 0)
              .slice(0, MOST_LISTS)
              .map((list) => (
                <ListOf key={list._id} list={list} email={email} />
              ))}
          </ul>
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

/** What is particular to a customer: their prices, where they pay no tax, and what was issued to them. */
export function CustomerTerms({ email }: { email: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Prices email={email} />
      <Exemptions email={email} />
      <Documents email={email} />
    </div>
  );
}
