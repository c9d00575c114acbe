import { cx } from './cx';

interface SegmentedControlProps<Value extends string> {
  /** Names the choice for who cannot see what it stands beside. */
  label: string;
  value: Value;
  options: readonly { value: Value; label: string }[];
  onChoose: (value: Value) => void;
}

/** A few ways to look at the same thing, one of them chosen. */
export function SegmentedControl<Value extends string>({
  label,
  value,
  options,
  onChoose,
}: SegmentedControlProps<Value>) {
  return (
    <fieldset className="inline-flex flex-wrap rounded-field border border-edge">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChoose(option.value)}
          className={cx(
            'min-h-11 cursor-pointer px-4 font-semibold whitespace-nowrap not-first:border-l not-first:border-edge first:rounded-l-field last:rounded-r-field',
            option.value === value ? 'bg-secondary text-secondary-content' : 'hover:bg-base-200',
          )}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
