import { useState } from 'react';
import { problemOf } from '@/api/problem';
import type { NewFitment } from '@/api/types';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { ErrorState } from '@/ui/error-state';
import { notify } from '@/ui/notify';
import { Skeleton } from '@/ui/skeleton';
import { useListFitmentsQuery, useSetFitmentsMutation } from '../api';
import { messages } from '../messages';
import { FitmentPicker } from './fitment-picker';

/** A fitment in one line, which no other of the list has. */
function lineOf({
  make,
  model,
  yearFrom,
  yearTo,
  engine,
  position,
  perVehicle,
  condition,
}: NewFitment): string {
  const from = yearFrom ?? 0;
  const vehicle = `${make} ${model} ${messages.years(from, yearTo ?? from)}`;
  return [
    engine ? `${vehicle}, ${engine}` : vehicle,
    position,
    (perVehicle ?? 1) > 1 ? messages.many(perVehicle ?? 1) : '',
    condition,
  ]
    .filter(Boolean)
    .join(' · ');
}

function FitmentsOf({ id, known }: { id: string; known: readonly NewFitment[] }) {
  const [fitments, setFitments] = useState(known);
  const [changed, setChanged] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [put, { isLoading }] = useSetFitmentsMutation();
  const change = (next: readonly NewFitment[]) => {
    setFitments(next);
    setChanged(true);
  };
  const add = (added: NewFitment) => {
    const line = lineOf(added);
    change([...fitments.filter((each) => lineOf(each) !== line), added]);
  };
  const save = async () => {
    setFailure(null);
    const { error } = await put({ id, newFitments: { fitments: [...fitments] } });
    if (error) {
      setFailure(problemOf(error).message);
      return;
    }
    setChanged(false);
    notify.success(messages.saved);
  };
  return (
    <div className="card-surface grid grid-cols-[minmax(0,1fr)] gap-6 p-4 sm:p-8">
      {fitments.length === 0 ? (
        <p className="text-muted">{messages.none}</p>
      ) : (
        <ul
          aria-label={messages.list}
          className="max-h-96 divide-y divide-base-300 overflow-y-auto"
        >
          {fitments.map((fitment) => {
            const line = lineOf(fitment);
            return (
              <li key={line} className="flex items-center justify-between gap-3">
                <span className="min-w-0 wrap-anywhere">{line}</span>
                <Button
                  variant="ghost"
                  onClick={() => change(fitments.filter((each) => each !== fitment))}
                >
                  {messages.remove} <span className="sr-only">{line}</span>
                </Button>
              </li>
            );
          })}
        </ul>
      )}
      <FitmentPicker onAdd={add} />
      {failure && <Alert tone="error">{failure}</Alert>}
      <div className="flex flex-wrap items-center gap-4">
        <Button busy={isLoading} onClick={() => void save()}>
          {messages.save}
        </Button>
        {changed && (
          <p role="status" className="text-warning">
            {messages.unsaved}
          </p>
        )}
      </div>
    </div>
  );
}

/** The vehicles that a part fits, as the shop itself knows them; saved by themselves. */
export function FitmentsForm({ id }: { id: string }) {
  const { data, error, isError, isFetching, refetch } = useListFitmentsQuery(id, {
    refetchOnMountOrArgChange: true,
  });
  // What the form begins with is never an answer from before, nor one that comes while it is filled in.
  const [known, setKnown] = useState<readonly NewFitment[]>();
  if (!known && data && !isFetching) setKnown(data);
  return (
    <section aria-labelledby="fitments" className="mt-8">
      <h2 id="fitments" className="mb-2 text-3xl">
        {messages.heading}
      </h2>
      <p className="mb-4 text-muted">{messages.hint}</p>
      {known && <FitmentsOf id={id} known={known} />}
      {!known &&
        (isError && !isFetching ? (
          <ErrorState title={messages.failed} error={error} onRetry={refetch} />
        ) : (
          <div role="status" aria-label={messages.loading}>
            <Skeleton className="h-40" />
          </div>
        ))}
    </section>
  );
}
