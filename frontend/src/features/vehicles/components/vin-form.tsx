import { type FormEvent, useState } from 'react';
import { type DecodedVin, useLazyDecodeVinQuery } from '@/api/parts';
import { problemOf } from '@/api/problem';
import type { GarageVehicle } from '@/lib/garage';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { messages } from '../messages';

const { vin: text } = messages;

const LENGTH = 17;
const clean = (typed: string) => typed.toUpperCase().replace(/[^A-Z0-9]/g, '');

/** What a VIN can be, by the vehicles that the shop knows: each reading, and each engine that a reading leaves. */
function vehiclesOf({ candidates, ...first }: DecodedVin): GarageVehicle[] {
  const readings = candidates.length > 0 ? candidates : [first];
  return readings.flatMap(({ vehicle, label, engine, engineName, engines }) => {
    if (vehicle === null) return [];
    const named = (name: string | null) => (name ? `${label} ${name}` : label);
    if (engine !== null) return [{ vehicle, engine, label: named(engineName) }];
    if (engines.length === 0) return [{ vehicle, label: named(engineName) }];
    return engines.map(({ id, name }) => ({ vehicle, engine: id, label: named(name) }));
  });
}

function Found({
  decoded,
  onDone,
}: {
  decoded: DecodedVin;
  onDone: (vehicle: GarageVehicle) => void;
}) {
  const vehicles = vehiclesOf(decoded);
  return (
    <div role="status" className="grid gap-3">
      {decoded.checkDigit === 'wrong' && <p className="text-warning">{text.checkDigit}</p>}
      {vehicles.length === 0 && <p>{text.none}</p>}
      {vehicles.length > 1 && <p className="font-semibold">{text.pick}</p>}
      <ul className="grid gap-2 empty:hidden">
        {vehicles.map((vehicle) => (
          <li key={vehicle.label} className="flex flex-wrap items-center justify-between gap-3">
            {vehicle.label}
            <Button variant="outline" onClick={() => onDone(vehicle)}>
              {text.use} <span className="sr-only">{vehicle.label}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface VinFormProps {
  hint: string;
  onDone: (vehicle: GarageVehicle, vin: string) => void;
}

/** A VIN is asked about once and kept nowhere here: not in the address, not in this browser, not in the cache. */
export function VinForm({ hint, onDone }: VinFormProps) {
  const [typed, setTyped] = useState('');
  const [failure, setFailure] = useState<string>();
  const [decode, { currentData, isFetching }] = useLazyDecodeVinQuery();
  const vin = clean(typed);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (vin.length !== LENGTH) {
      setFailure(text.length(vin.length));
      return;
    }
    setFailure(undefined);
    const { error } = await decode(vin);
    if (error) setFailure(problemOf(error).message);
  };

  return (
    <form noValidate className="grid content-start gap-3" onSubmit={submit}>
      <Field label={text.label} hint={hint} error={failure}>
        {(fieldProps) => (
          <input
            {...fieldProps}
            className="input"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={40}
            value={typed}
            onChange={(event) => {
              setTyped(event.target.value);
              setFailure(undefined);
            }}
          />
        )}
      </Field>
      <Button type="submit" variant="outline" busy={isFetching} className="justify-self-start">
        {text.find}
      </Button>
      {currentData && currentData.vin === vin && !failure && (
        <Found decoded={currentData} onDone={(vehicle) => onDone(vehicle, vin)} />
      )}
    </form>
  );
}
