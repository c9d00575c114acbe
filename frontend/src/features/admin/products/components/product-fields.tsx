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
      return <TextField {...common} type="number" inputMode="numeric" min={0} step={1} required />;
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
