import type { ReactNode } from 'react';
import { cx } from '@/ui/cx';

export interface ChoiceOption {
  value: string;
  label: string;
  /** What choosing it means. */
  hint?: string | undefined;
  /** Stands at the end, such as a price. */
  end?: ReactNode;
}

interface ChoiceListProps {
  name: string;
  label: string;
  value: string;
  options: readonly ChoiceOption[];
  onChoose: (value: string) => void;
}

/** A few ways of which one is chosen, each with what it means. */
export function ChoiceList({ name, label, value, options, onChoose }: ChoiceListProps) {
  return (
    <fieldset>
      <legend className="sr-only">{label}</legend>
      <div className="grid gap-2">
        {options.map((option) => (
          <label
            key={option.value}
            className={cx(
              'flex min-h-11 cursor-pointer items-start gap-3 rounded-field border p-3 has-focus-visible:outline-3 has-focus-visible:outline-accent',
              option.value === value ? 'border-primary bg-base-200' : 'border-edge',
            )}
          >
            <input
              type="radio"
              name={name}
              className="mt-1 size-4 shrink-0 accent-primary"
              checked={option.value === value}
              onChange={() => onChoose(option.value)}
            />
            <span className="min-w-0 flex-1">
              <span className="font-semibold">{option.label}</span>
              {option.hint && <span className="block text-sm text-muted">{option.hint}</span>}
            </span>
            {option.end !== undefined && <span className="font-semibold">{option.end}</span>}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
