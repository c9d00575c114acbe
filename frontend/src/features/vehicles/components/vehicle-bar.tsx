import { CarFront } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { useNameVehicleQuery } from '@/api/parts';
import { addToGarage, type GarageVehicle, isSameVehicle } from '@/lib/garage';
import { retryingLazy } from '@/lib/retrying-lazy';
import { Button } from '@/ui/button';
import { Skeleton } from '@/ui/skeleton';
import { messages } from '../messages';
import { useKeptVehicles, useMovingGarage } from '../use-garage';

const VehiclePicker = retryingLazy(
  () => import(/* webpackChunkName: "vehicle" */ './vehicle-picker'),
);
const GarageList = retryingLazy(() => import(/* webpackChunkName: "vehicle" */ './garage-list'));

/** A vehicle as an address has it. */
export type VehicleId = Pick<GarageVehicle, 'vehicle' | 'engine'>;

/** What a vehicle is called: as it was chosen here, else as the shop calls it. */
function useLabel(id: VehicleId | null): string {
  const known = useKeptVehicles().find((each) => id !== null && isSameVehicle(each, id))?.label;
  const isLinked = id !== null && !known;
  const { currentData } = useNameVehicleQuery(id ?? { vehicle: 0 }, { skip: !isLinked });
  return known ?? currentData?.[0]?.label ?? messages.unnamed;
}

interface VehicleBarProps {
  chosen: VehicleId | null;
  onChoose: (vehicle: VehicleId | null) => void;
}

/** Which vehicle parts are for: chosen here, kept in the address, and remembered in this browser. */
export function VehicleBar({ chosen, onChoose }: VehicleBarProps) {
  const [open, setOpen] = useState<'picker' | 'garage' | null>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const label = useLabel(chosen);
  const kept = useKeptVehicles().length;
  useMovingGarage();
  const toggle = (panel: 'picker' | 'garage') => setOpen(open === panel ? null : panel);
  const close = () => {
    setOpen(null);
    opener.current?.focus();
  };
  const choose = (vehicle: GarageVehicle) => {
    addToGarage(vehicle);
    onChoose(vehicle);
    close();
  };

  return (
    <section
      aria-label={messages.bar}
      className="border-b border-base-300 bg-base-200"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && open) close();
      }}
    >
      <div className="shell">
        <div className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 py-1">
          <CarFront aria-hidden="true" className="size-6 shrink-0 text-accent" />
          {chosen && (
            <p className="min-w-0">
              <span className="text-muted">{messages.chosen}</span>{' '}
              <strong className="font-semibold">{label}</strong>
            </p>
          )}
          <Button
            ref={opener}
            variant={chosen ? 'ghost' : 'outline'}
            aria-expanded={open === 'picker'}
            onClick={() => toggle('picker')}
          >
            {chosen ? messages.change : messages.choose}
          </Button>
          {kept > 0 && (
            <Button
              variant="ghost"
              aria-expanded={open === 'garage'}
              onClick={() => toggle('garage')}
            >
              {messages.menu(kept)}
            </Button>
          )}
          {chosen ? (
            <Button variant="ghost" onClick={() => onChoose(null)}>
              {messages.clear} <span className="sr-only">{messages.clearOf}</span>
            </Button>
          ) : (
            <p className="text-muted max-sm:hidden">{messages.why}</p>
          )}
        </div>
        {open && (
          <Suspense fallback={<Skeleton className="mb-6 h-56 w-full" />}>
            {open === 'picker' ? (
              <VehiclePicker onDone={choose} />
            ) : (
              <section aria-label={messages.garage} className="max-w-xl pb-4">
                <GarageList onDone={choose} />
              </section>
            )}
          </Suspense>
        )}
      </div>
    </section>
  );
}
