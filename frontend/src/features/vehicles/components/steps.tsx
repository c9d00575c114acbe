import { useState } from 'react';
import {
  type Named,
  useListEnginesQuery,
  useListMakesQuery,
  useListModelsQuery,
  useListYearsQuery,
} from '@/api/parts';
import type { GarageVehicle } from '@/lib/garage';
import { messages } from '../messages';
import { type Choice, FilterList, matching } from './filter-list';

const { steps: text } = messages;

interface Chosen {
  year?: Choice;
  make?: Choice;
  model?: Choice & { vehicle: number };
}

const choicesOf = (named: readonly Named[] = []) =>
  named.map(({ id, name }) => ({ key: String(id), label: name }));

/** The engine that nobody has to know. */
const ANY = 'any';

interface StepProps {
  chosen: Chosen;
  onChosen: (chosen: Chosen) => void;
  onDone: (vehicle: GarageVehicle) => void;
}

function YearStep({ onChosen }: StepProps) {
  const [typed, onType] = useState('');
  const answer = useListYearsQuery();
  const choices = matching(choicesOf(answer.data), typed);
  const onChoose = (year: Choice) => onChosen({ year });
  return <FilterList label={text.year} {...{ choices, answer, typed, onType, onChoose }} focused />;
}

function MakeStep({ chosen, onChosen }: StepProps) {
  const [typed, onType] = useState('');
  const answer = useListMakesQuery(chosen.year?.key ?? '');
  const choices = matching(choicesOf(answer.currentData), typed);
  const onChoose = (make: Choice) => onChosen({ ...chosen, make });
  return <FilterList label={text.make} {...{ choices, answer, typed, onType, onChoose }} focused />;
}

function ModelStep({ chosen, onChosen }: StepProps) {
  const [typed, onType] = useState('');
  const answer = useListModelsQuery({
    year: chosen.year?.key ?? '',
    make: chosen.make?.key ?? '',
  });
  const models = (answer.currentData ?? []).map(({ id, name, vehicle }) => ({
    key: String(id),
    label: name,
    vehicle,
  }));
  const choices = matching(models, typed);
  const onChoose = (model: Choice & { vehicle: number }) => onChosen({ ...chosen, model });
  return (
    <FilterList label={text.model} {...{ choices, answer, typed, onType, onChoose }} focused />
  );
}

function EngineStep({ chosen: { year, make, model }, onDone }: StepProps) {
  const [typed, onType] = useState('');
  const vehicle = model?.vehicle ?? 0;
  const answer = useListEnginesQuery(vehicle);
  const any = { key: ANY, label: text.anyEngine };
  const choices = matching([...choicesOf(answer.currentData), any], typed);
  const name = [year, make, model].map((each) => each?.label).join(' ');
  const onChoose = ({ key, label }: Choice) =>
    onDone(
      key === ANY
        ? { vehicle, label: name }
        : { vehicle, engine: Number(key), label: `${name} ${label}` },
    );
  return (
    <FilterList label={text.engine} {...{ choices, answer, typed, onType, onChoose }} focused />
  );
}

/** Year, make, model, engine: each narrows the next, and what was chosen can be chosen again. */
export function Steps({ onDone }: { onDone: (vehicle: GarageVehicle) => void }) {
  const [chosen, setChosen] = useState<Chosen>({});
  const { year, make, model } = chosen;
  const done = [
    { step: text.year, value: year, back: {} },
    { step: text.make, value: make, back: year ? { year } : {} },
    { step: text.model, value: model, back: year && make ? { year, make } : {} },
  ];
  const Step = !year ? YearStep : !make ? MakeStep : !model ? ModelStep : EngineStep;
  return (
    <div className="grid content-start gap-3">
      {year && (
        <ul className="flex flex-wrap gap-2">
          {done.map(
            ({ step, value, back }) =>
              value && (
                <li key={step}>
                  <button
                    type="button"
                    aria-label={text.again(step, value.label)}
                    className="min-h-11 cursor-pointer rounded-selector border border-edge bg-surface px-3 hover:border-base-content"
                    onClick={() => setChosen(back)}
                  >
                    {value.label}
                  </button>
                </li>
              ),
          )}
        </ul>
      )}
      <Step chosen={chosen} onChosen={setChosen} onDone={onDone} />
    </div>
  );
}
