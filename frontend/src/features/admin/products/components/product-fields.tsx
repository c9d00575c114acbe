import { useField } from 'formik';
import { type AttributeField, attributes, type FieldName } from '@/features/catalog/attributes';
import { cx } from '@/ui/cx';
import { SelectField, TextAreaField, TextField } from '@/ui/form';
import { messages } from '../messages';

/** The wire's own words, the five of the spec first. */
const categoryOptions = [
  { value: '', label: messages.addPage.chooseCategory },
  ...[
    'BRAKES',
    'REPLACEMENT PARTS',
    'SAFETY ACCESSORIES',
    'TIRES',
    'STEERING WHEEL',
    'SERVICE KITS',
    'BATTERIES',
    'OILS AND FLUIDS',
  ].map((value) => ({ value, label: value })),
];

interface UnitsInputProps {
  name: string;
  label: string;
  hint: string | undefined;
  atLeast: number | undefined;
}

/** A number of units. One that the shop raises says so as soon as it is typed. */
function UnitsInput({ name, label, hint, atLeast = 0 }: UnitsInputProps) {
  const [{ value }] = useField<number | ''>(name);
  const raised = typeof value === 'number' && value >= 0 && value < atLeast;
  return (
    <TextField
      name={name}
      label={label}
      hint={
        hint && (
          <span role="status" className={raised ? 'font-semibold text-base-content' : undefined}>
            {raised ? messages.addPage.raised(value, atLeast) : hint}
          </span>
        )
      }
      type="number"
      inputMode="numeric"
      min={0}
      step={1}
      required
    />
  );
}

/** The input of one attribute. */
function AttributeInput({ name }: { name: FieldName }) {
  const { label, hint, input }: AttributeField = attributes[name];
  const common = { name, label, hint };
  switch (input.kind) {
    case 'category':
      return <SelectField {...common} options={categoryOptions} required />;
    case 'text':
      return <TextField {...common} autoComplete="off" required={!input.optional} />;
    case 'lines':
      return <TextAreaField {...common} rows={4} required />;
    case 'units':
      return <UnitsInput name={name} label={label} hint={hint} atLeast={input.atLeast} />;
    case 'price':
      return (
        <TextField {...common} type="number" inputMode="decimal" min={0.01} step={0.01} required />
      );
  }
}

const rowClasses = ['', '', 'sm:grid-cols-2', 'sm:grid-cols-3'];

export function ProductFields({ rows }: { rows: readonly (readonly FieldName[])[] }) {
  return rows.map((row) => (
    <div key={row[0]} className={cx('grid items-start gap-5', rowClasses[row.length])}>
      {row.map((name) => (
        <AttributeInput key={name} name={name} />
      ))}
    </div>
  ));
}
