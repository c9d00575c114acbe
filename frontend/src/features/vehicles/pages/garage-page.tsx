import { useRef, useState } from 'react';
import { problemOf } from '@/api/problem';
import type { GarageVehicle } from '@/lib/garage';
import { usePageTitle } from '@/lib/use-page-title';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { notify } from '@/ui/notify';
import { TableSkeleton } from '@/ui/table-skeleton';
import { useAddGarageVehicleMutation, useListGarageQuery } from '../api';
import { KeptVehicles } from '../components/kept-vehicles';
import VehiclePicker from '../components/vehicle-picker';
import { garageMessages as messages } from '../garage-messages';
import { useMovingGarage } from '../use-garage';

function AddVehicle() {
  const [open, setOpen] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [add, { isLoading }] = useAddGarageVehicleMutation();
  const keep = async ({ vehicle, engine, label }: GarageVehicle, vin?: string) => {
    setFailure(null);
    const newGarageVehicle = {
      vehicle,
      ...(engine === undefined ? {} : { engine }),
      ...(vin === undefined ? {} : { vin }),
    };
    const { error } = await add({ newGarageVehicle });
    if (error) {
      setFailure(problemOf(error).message);
      return;
    }
    setOpen(false);
    opener.current?.focus();
    notify.success(messages.added(label));
  };
  return (
    <div className="mb-6 grid gap-6">
      <Button
        ref={opener}
        className="justify-self-start"
        aria-expanded={open}
        busy={isLoading}
        onClick={() => {
          setFailure(null);
          setOpen(!open);
        }}
      >
        {open ? messages.close : messages.add}
      </Button>
      {open && (
        <section aria-label={messages.addTitle} className="card-surface grid gap-4 p-4 sm:p-6">
          {failure && <Alert tone="error">{failure}</Alert>}
          <VehiclePicker keeps onDone={(vehicle, vin) => void keep(vehicle, vin)} />
        </section>
      )}
    </div>
  );
}

function Vehicles() {
  const { data, error, isError, isFetching, refetch } = useListGarageQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  if (!data) {
    return isError && !isFetching ? (
      <ErrorState title={messages.failed} error={error} onRetry={() => void refetch()} />
    ) : (
      <TableSkeleton rows={3} label={messages.loading} />
    );
  }
  if (data.length === 0) return <Empty title={messages.empty}>{messages.emptyHint}</Empty>;
  return <KeptVehicles vehicles={data} />;
}

/** The vehicles of whoever is signed in. */
export default function GaragePage() {
  usePageTitle(messages.title);
  useMovingGarage();
  return (
    <>
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{messages.title}</h1>
      <p className="mb-6 text-muted">{messages.intro}</p>
      <AddVehicle />
      <Vehicles />
    </>
  );
}
