import { useState } from 'react';
import { closeKeyboard } from '@/lib/close-keyboard';
import { Button } from '@/ui/button';
import { PlainTable } from '@/ui/plain-table';
import { Skeleton } from '@/ui/skeleton';
import { useListFittingVehiclesQuery } from '../api';
import { fitMessages as messages } from '../messages';

/** As many rows as are drawn at once; the filter finds the others. */
const MOST = 200;
/** From so many on a filter is of use. */
const MANY = 8;

/** The vehicles that a part fits. A part of which nobody says any has no such section. */
export function FittingVehicles({ id }: { id: string }) {
  const { currentData, isError, isFetching, refetch } = useListFittingVehiclesQuery({ id });
  const [typed, setTyped] = useState('');
  if (currentData?.length === 0) return null;
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = (currentData ?? []).filter(({ label, yearFrom, yearTo }) =>
    words.every((word) => {
      const year = /^\d{4}$/.test(word) ? Number(word) : null;
      return year === null
        ? label.toLowerCase().includes(word)
        : yearFrom <= year && year <= yearTo;
    }),
  );
  const rows = matching
    .slice(0, MOST)
    .map(({ make, model, yearFrom, yearTo, engine, position, perVehicle, conditions }) => [
      `${make} ${model}`,
      messages.yearsOf(yearFrom, yearTo),
      engine ?? messages.any,
      position ?? '',
      String(perVehicle),
      conditions.map(({ text }) => text).join(', '),
    ]);
  return (
    <section
      aria-labelledby="vehicles"
      className="mt-12 grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-base-300 pt-8"
    >
      <h2 id="vehicles" className="text-3xl">
        {messages.vehicles}
      </h2>
      {!currentData &&
        (isError && !isFetching ? (
          <div role="alert" className="grid justify-items-start gap-3">
            {messages.vehiclesFailed}
            <Button variant="outline" onClick={() => void refetch()}>
              {messages.retry}
            </Button>
          </div>
        ) : (
          <div role="status" aria-label={messages.loadingVehicles}>
            <Skeleton className="h-40 w-full" />
          </div>
        ))}
      {currentData && currentData.length > MANY && (
        <input
          type="search"
          className="input max-w-md"
          aria-label={messages.filter}
          placeholder={messages.filter}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={closeKeyboard}
        />
      )}
      {currentData && (
        <>
          {rows.length === 0 ? (
            <p role="status">{messages.noMatch}</p>
          ) : (
            <PlainTable
              caption={messages.table}
              headers={[
                messages.make,
                messages.years,
                messages.engine,
                messages.position,
                messages.perVehicle,
                messages.condition,
              ]}
              rows={rows}
              className="max-h-96"
            />
          )}
          {matching.length > MOST && (
            <p className="text-muted">{messages.shownOf(MOST, matching.length)}</p>
          )}
        </>
      )}
    </section>
  );
}
