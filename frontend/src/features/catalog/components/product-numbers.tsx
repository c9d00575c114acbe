import { numberKinds, type PartNumber, useGetNumbersQuery } from '@/api/parts';
import { Skeleton } from '@/ui/skeleton';
import { factMessages as messages } from '../pages/fact-messages';
import { CopyButton } from './copy-button';

function Numbered({ number: { kind, number, brand, note, since } }: { number: PartNumber }) {
  const replaced = kind === 'superseded' && since !== undefined && messages.since(since);
  const beside = [brand, note, replaced].filter(Boolean).join(', ');
  return (
    <li className="flex flex-wrap items-center gap-x-3">
      <span className="font-semibold break-all">{number}</span>
      {beside && <span className="text-muted">{beside}</span>}
      <CopyButton text={number} />
    </li>
  );
}

/** The numbers by which the trade knows this part, by their kinds. A part without any has no such section. */
export function ProductNumbers({ id }: { id: string }) {
  const { currentData, isError, isFetching, refetch } = useGetNumbersQuery(id);
  if (currentData?.length === 0) return null;
  return (
    <section aria-labelledby="numbers" className="mt-12 border-t border-base-300 pt-8">
      <h2 id="numbers" className="mb-6 text-3xl">
        {messages.numbers}
      </h2>
      {currentData && (
        <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-3">
          {numberKinds.map((kind) => {
            const own = currentData.filter((each) => each.kind === kind);
            if (own.length === 0) return null;
            return (
              <div key={kind}>
                <dt className="text-sm text-muted">{messages.kinds[kind]}</dt>
                <dd>
                  <ul>
                    {own.map((each) => (
                      <Numbered key={`${each.brand ?? ''} ${each.number}`} number={each} />
                    ))}
                  </ul>
                </dd>
              </div>
            );
          })}
        </dl>
      )}
      {!currentData &&
        (isError && !isFetching ? (
          <p role="alert">
            {messages.failed}{' '}
            <button
              type="button"
              className="link-accent min-h-11 cursor-pointer"
              onClick={() => void refetch()}
            >
              {messages.retry}
            </button>
          </p>
        ) : (
          <div role="status" aria-label={messages.loading}>
            <Skeleton className="h-24 w-full" />
          </div>
        ))}
    </section>
  );
}
