import { Field, FieldArray, useFormikContext } from 'formik';
import { useId } from 'react';
import { useListBrandsQuery, useListPartTypesQuery } from '@/api/parts';
import { Button } from '@/ui/button';
import { SelectField, TextField } from '@/ui/form';
import type { DetailValues } from '../details';
import { messages } from '../messages';

const { details: text } = messages;

const taxClasses = Object.entries(text.taxClasses).map(([value, label]) => ({ value, label }));

/** Brands that exist are suggested; a name that none has makes a new one. */
function BrandField() {
  const list = useId();
  const { data = [] } = useListBrandsQuery();
  return (
    <>
      <TextField
        name="brand"
        label={text.brand.label}
        hint={text.brand.hint}
        autoComplete="off"
        list={list}
      />
      <datalist id={list}>
        {data.map(({ id, name }) => (
          <option key={id} value={name} />
        ))}
      </datalist>
    </>
  );
}

function PartTypeField() {
  const { data = [] } = useListPartTypesQuery();
  const { values } = useFormikContext<DetailValues>();
  const names = data.map(({ name }) => name);
  // What the part has stays to be chosen, also before the list is there.
  const known = values.partType && !names.includes(values.partType) ? [values.partType] : [];
  const options = [
    { value: '', label: text.noPartType },
    ...[...known, ...names].map((name) => ({ value: name, label: name })),
  ];
  return <SelectField name="partType" label={text.partType.label} options={options} />;
}

function Measure({ name }: { name: 'packSize' | 'weight' | 'length' | 'width' | 'height' }) {
  return (
    <TextField
      name={name}
      label={text[name].label}
      type="number"
      inputMode="numeric"
      min={1}
      step={1}
    />
  );
}

function Attributes() {
  const { values } = useFormikContext<DetailValues>();
  return (
    <FieldArray name="attributes">
      {({ push, remove }) => (
        <fieldset className="grid gap-4">
          <legend className="mb-2 font-semibold">{text.attributes}</legend>
          {values.attributes.map((_attribute, place) => (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: Formik names a row by its place.
              key={place}
              className="grid items-end gap-3 sm:grid-cols-3"
            >
              <TextField
                name={`attributes.${place}.name`}
                label={text.attribute(place + 1)}
                autoComplete="off"
              />
              <TextField
                name={`attributes.${place}.value`}
                label={text.value(place + 1)}
                autoComplete="off"
              />
              <Button variant="ghost" onClick={() => remove(place)}>
                {text.removeAttribute} <span className="sr-only">{place + 1}</span>
              </Button>
            </div>
          ))}
          <p className="text-sm text-muted">{text.attributesHint}</p>
          <Button
            variant="outline"
            className="justify-self-start"
            onClick={() => push({ name: '', value: '' })}
          >
            {text.addAttribute}
          </Button>
        </fieldset>
      )}
    </FieldArray>
  );
}

/** What buyers find a part by, and what it weighs; all of it may be left out. */
export function DetailFields() {
  const universal = useId();
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        <BrandField />
        <PartTypeField />
      </div>
      <div className="grid grid-cols-2 items-start gap-5 lg:grid-cols-3">
        <Measure name="packSize" />
        <Measure name="weight" />
        <Measure name="length" />
        <Measure name="width" />
        <Measure name="height" />
        <SelectField name="taxClass" label={text.taxClass} options={taxClasses} />
      </div>
      <label
        htmlFor={universal}
        className="flex min-h-11 cursor-pointer items-center gap-3 font-semibold"
      >
        <Field
          id={universal}
          type="checkbox"
          name="universal"
          className="checkbox border-edge checked:border-primary checked:bg-primary checked:text-primary-content"
        />
        {text.universal}
      </label>
      <Attributes />
    </>
  );
}
