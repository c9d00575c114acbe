import { useState } from 'react';
import {
  type Named,
  useListEnginesQuery,
  useListMakesQuery,
  useListModelsQuery,
  useListYearsQuery,
} from '@/api/parts';
import type { NewFitment, Position } from '@/api/types';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { messages } from '../messages';

const positions = [
  'front',
  'rear',
  'left',
  'right',
  'front left',
  'front right',
  'rear left',
  'rear right',
  'upper',
  'lower',
  'inner',
  'outer',
] as const satisfies readonly Position[];

interface ChoiceProps {
  label: string;
  /** What stands for no choice. */
  none: string;
  options: readonly string[];
  value: string;
  onChoose: (value: string) => void;
  disabled?: boolean;
}

function Choice({ label, none, options, value, onChoose, disabled = false }: ChoiceProps) {
  return (
    <Field label={label}>
      {(fieldProps) => (
        <select
          {...fieldProps}
          className="select"
          value={value}
          disabled={disabled}
          onChange={(event) => onChoose(event.target.value)}
        >
          <option value="">{none}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {option}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

const namesOf = (named: readonly Named[] = []) => named.map(({ name }) => name);

interface Chosen {
  from: string;
  to: string;
  make: string;
  model: string;
  engine: string;
  position: string;
  perVehicle: string;
  condition: string;
}

const nothing: Chosen = {
  from: '',
  to: '',
  make: '',
  model: '',
  engine: '',
  position: '',
  perVehicle: '1',
  condition: '',
};

const isCount = (typed: string) => /^\d{1,4}$/.test(typed) && +typed >= 1 && +typed <= 1000;

/** As it is sent; null while something is missing. */
function wireOf(chosen: Chosen): NewFitment | null {
  const { from, to, make, model, engine, position, perVehicle, condition } = chosen;
  if (!from || !make || !model || !isCount(perVehicle)) return null;
  const known = positions.find((each) => each === position);
  return {
    make,
    model,
    yearFrom: Number(from),
    yearTo: Number(to || from),
    perVehicle: Number(perVehicle),
    ...(engine ? { engine } : {}),
    ...(known ? { position: known } : {}),
    ...(condition.trim() ? { condition: condition.trim() } : {}),
  };
}

/** Years of a model that a part fits, chosen from what there is. */
export function FitmentPicker({ onAdd }: { onAdd: (fitment: NewFitment) => void }) {
  const [chosen, setChosen] = useState(nothing);
  const { from, to, make, model, engine, position, perVehicle, condition } = chosen;
  const change = (part: Partial<Chosen>) => setChosen({ ...chosen, ...part });
  const years = useListYearsQuery();
  const makes = useListMakesQuery(from, { skip: !from });
  const makeId = makes.currentData?.find(({ name }) => name === make)?.id;
  const ofMake = { year: from, make: String(makeId ?? '') };
  const models = useListModelsQuery(ofMake, { skip: makeId === undefined });
  const vehicle = models.currentData?.find(({ name }) => name === model)?.vehicle;
  const engines = useListEnginesQuery(vehicle ?? 0, { skip: vehicle === undefined });
  const laterYears = namesOf(years.data).filter((year) => Number(year) >= Number(from));
  const fitment = wireOf(chosen);
  const failed = [years, makes, models, engines].some(({ isError }) => isError);
  return (
    <fieldset className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-4">
      <legend className="mb-3 text-xl font-semibold">{messages.addHeading}</legend>
      <Choice
        label={messages.yearFrom}
        none={messages.choose}
        options={namesOf(years.data)}
        value={from}
        onChoose={(year) => change({ from: year, to: year, make: '', model: '', engine: '' })}
      />
      <Choice
        label={messages.yearTo}
        none={messages.choose}
        options={laterYears}
        value={to}
        disabled={!from}
        onChoose={(year) => change({ to: year })}
      />
      <Choice
        label={messages.make}
        none={messages.choose}
        options={namesOf(makes.currentData)}
        value={make}
        disabled={!from}
        onChoose={(name) => change({ make: name, model: '', engine: '' })}
      />
      <Choice
        label={messages.model}
        none={messages.choose}
        options={namesOf(models.currentData)}
        value={model}
        disabled={!make}
        onChoose={(name) => change({ model: name, engine: '' })}
      />
      <Choice
        label={messages.engine}
        none={messages.anyEngine}
        options={namesOf(engines.currentData)}
        value={engine}
        disabled={!model}
        onChoose={(name) => change({ engine: name })}
      />
      <Choice
        label={messages.position}
        none={messages.anywhere}
        options={positions}
        value={position}
        onChoose={(name) => change({ position: name })}
      />
      <Field
        label={messages.perVehicle}
        error={isCount(perVehicle) ? undefined : messages.countRule}
      >
        {(fieldProps) => (
          <input
            {...fieldProps}
            className="input"
            inputMode="numeric"
            value={perVehicle}
            onChange={(event) => change({ perVehicle: event.target.value })}
          />
        )}
      </Field>
      <Field label={messages.condition} hint={messages.conditionHint}>
        {(fieldProps) => (
          <input
            {...fieldProps}
            className="input"
            maxLength={400}
            value={condition}
            onChange={(event) => change({ condition: event.target.value })}
          />
        )}
      </Field>
      {failed && (
        <p role="alert" className="col-span-full font-semibold text-error">
          {messages.listFailed}
        </p>
      )}
      <Button
        variant="outline"
        className="justify-self-start"
        disabled={fitment === null}
        onClick={() => {
          if (!fitment) return;
          onAdd(fitment);
          // The next one is often of the same make.
          change({ model: '', engine: '', condition: '' });
        }}
      >
        {messages.add}
      </Button>
    </fieldset>
  );
}
