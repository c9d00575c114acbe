import { type ReactNode, useState } from 'react';
import { useSearchVehiclesQuery } from '@/api/parts';
import { type GarageVehicle, removeFromGarage, useGarage } from '@/lib/garage';
import { useDebounced } from '@/lib/use-debounced';
import { Button } from '@/ui/button';
import { messages } from '../messages';
import { FilterList } from './filter-list';
import { Steps } from './steps';
import { VinForm } from './vin-form';

interface DoneProps {
  onDone: (vehicle: GarageVehicle) => void;
}

/** Milliseconds of rest after which the shop is asked. */
const TYPING_PAUSE = 200;

function OneBox({ onDone }: DoneProps) {
  const [typed, onType] = useState('');
  const search = useDebounced(typed.trim(), TYPING_PAUSE);
  const answer = useSearchVehiclesQuery(search, { skip: search.length < 2 });
  const found = search.length < 2 ? [] : (answer.currentData ?? []);
  const choices = found.map((each) => ({ ...each, key: `${each.vehicle}-${each.engine ?? ''}` }));
  return (
    <FilterList
      label={messages.box.label}
      placeholder={messages.box.placeholder}
      choices={choices}
      answer={{ ...answer, isFetching: answer.isFetching || search !== typed.trim() }}
      typed={typed}
      onType={onType}
      onChoose={({ vehicle, engine, label }) =>
        onDone({ vehicle, label, ...(engine === undefined ? {} : { engine }) })
      }
    />
  );
}

function Garage({ onDone }: DoneProps) {
  const vehicles = useGarage();
  if (vehicles.length === 0) return null;
  return (
    <Way heading={messages.garage}>
      <ul className="max-h-72 overflow-y-auto">
        {vehicles.map((vehicle) => (
          <li
            key={`${vehicle.vehicle}-${vehicle.engine ?? ''}`}
            className="flex items-center justify-between gap-3"
          >
            <button
              type="button"
              className="min-h-11 min-w-0 flex-1 cursor-pointer text-left hover:underline"
              onClick={() => onDone(vehicle)}
            >
              {vehicle.label}
            </button>
            <Button variant="ghost" onClick={() => removeFromGarage(vehicle)}>
              {messages.forget} <span className="sr-only">{vehicle.label}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Way>
  );
}

function Way({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section aria-label={heading} className="grid content-start gap-2">
      <h2 className="text-xl">{heading}</h2>
      {children}
    </section>
  );
}

/** The ways to say which vehicle parts are for. */
export default function VehiclePicker({ onDone }: DoneProps) {
  return (
    <div className="grid gap-8 pb-6 md:grid-cols-3">
      <Way heading={messages.steps.heading}>
        <Steps onDone={onDone} />
      </Way>
      <Way heading={messages.box.heading}>
        <OneBox onDone={onDone} />
      </Way>
      <div className="grid content-start gap-8">
        <Way heading={messages.vin.heading}>
          <VinForm onDone={onDone} />
        </Way>
        <Garage onDone={onDone} />
      </div>
    </div>
  );
}
