import { type ReactNode, useState } from 'react';
import { useSearchVehiclesQuery } from '@/api/parts';
import type { GarageVehicle } from '@/lib/garage';
import { useDebounced } from '@/lib/use-debounced';
import { messages } from '../messages';
import { useKeptVehicles } from '../use-garage';
import { FilterList } from './filter-list';
import GarageList from './garage-list';
import { Steps } from './steps';
import { VinForm } from './vin-form';

interface DoneProps {
  onDone: (vehicle: GarageVehicle) => void;
}

interface PickerProps {
  /** With the VIN that the vehicle was found by. */
  onDone: (vehicle: GarageVehicle, vin?: string) => void;
  /** Whether the vehicle, with its VIN, is to be kept: then it is not chosen from those that are. */
  keeps?: boolean;
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
  if (useKeptVehicles().length === 0) return null;
  return (
    <Way heading={messages.garage}>
      <GarageList onDone={onDone} />
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
export default function VehiclePicker({ onDone, keeps = false }: PickerProps) {
  const choose = (vehicle: GarageVehicle) => onDone(vehicle);
  return (
    <div className="grid gap-8 pb-6 md:grid-cols-3">
      <Way heading={messages.steps.heading}>
        <Steps onDone={choose} />
      </Way>
      <Way heading={messages.box.heading}>
        <OneBox onDone={choose} />
      </Way>
      <div className="grid content-start gap-8">
        <Way heading={messages.vin.heading}>
          <VinForm hint={keeps ? messages.vin.keptHint : messages.vin.hint} onDone={onDone} />
        </Way>
        {!keeps && <Garage onDone={choose} />}
      </div>
    </div>
  );
}
