import type { GarageVehicle } from '@/lib/garage';
import { Button } from '@/ui/button';
import { messages } from '../messages';
import { type KeptVehicle, useForgetVehicle, useKeptVehicles } from '../use-garage';

const nameOf = ({ name, label }: KeptVehicle) => name ?? label;

/** The vehicles that are kept, to be chosen again or forgotten. */
export default function GarageList({ onDone }: { onDone: (vehicle: GarageVehicle) => void }) {
  const vehicles = useKeptVehicles();
  const forget = useForgetVehicle();
  return (
    <ul className="max-h-72 overflow-y-auto">
      {vehicles.map((kept) => (
        <li
          key={kept.id ?? `${kept.vehicle}-${kept.engine ?? ''}`}
          className="flex items-center justify-between gap-3"
        >
          <button
            type="button"
            className="min-h-11 min-w-0 flex-1 cursor-pointer text-left hover:underline"
            onClick={() => onDone(kept)}
          >
            {nameOf(kept)}
            {kept.name !== undefined && <span className="block text-muted">{kept.label}</span>}
          </button>
          <Button variant="ghost" onClick={() => void forget(kept)}>
            {messages.forget} <span className="sr-only">{nameOf(kept)}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
