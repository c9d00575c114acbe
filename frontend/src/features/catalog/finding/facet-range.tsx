import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { Button } from '@/ui/button';
import type { Range } from './choices';
import { findingMessages as messages } from './messages';

interface FacetRangeProps {
  name: string;
  /** What a number is of, as mm. */
  unit?: string | undefined;
  /** The ends of what there is. */
  min?: number | undefined;
  max?: number | undefined;
  value: Range;
  onChange: (range: Range) => void;
  /** Ranges to choose with one press. */
  children?: ReactNode;
}

interface EndProps {
  label: string;
  name: string;
  value: string;
  hint: number | undefined;
  onChange: (value: string) => void;
}

function End({ label, name, value, hint, onChange }: EndProps) {
  return (
    <input
      type="number"
      inputMode="decimal"
      min={0}
      step="any"
      className="input"
      aria-label={name}
      placeholder={hint === undefined ? label : String(hint)}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onWheel={(event) => event.currentTarget.blur()}
    />
  );
}

/** Whoever typed the larger number first meant the same. */
function inOrder({ from, to }: Range): Range {
  return from && to && Number(from) > Number(to) ? { from: to, to: from } : { from, to };
}

/** A facet of numbers: from, to, or both. */
export function FacetRange({ name, unit, min, max, value, onChange, children }: FacetRangeProps) {
  const [typed, setTyped] = useState(value);
  const { from, to } = value;
  // What changes the filter from outside (Back, a chip that is removed) leads the boxes.
  useEffect(() => setTyped({ from, to }), [from, to]);
  const title = unit ? `${name} (${unit})` : name;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(inOrder(typed));
  };

  return (
    <form className="border-t border-base-300 pt-3" onSubmit={submit}>
      <fieldset className="min-w-0">
        <legend className="sr-only">{title}</legend>
        <p aria-hidden="true" className="mb-2 font-semibold">
          {title}
        </p>
        {children}
        <div className="flex items-center gap-2">
          <End
            label={messages.from}
            name={messages.fromOf(title)}
            hint={min}
            value={typed.from}
            onChange={(next) => setTyped({ ...typed, from: next })}
          />
          <span aria-hidden="true">–</span>
          <End
            label={messages.to}
            name={messages.toOf(title)}
            hint={max}
            value={typed.to}
            onChange={(next) => setTyped({ ...typed, to: next })}
          />
        </div>
        {(typed.from !== from || typed.to !== to) && (
          <Button type="submit" variant="outline" className="mt-2 w-full">
            {messages.applyRange} <span className="sr-only">{name}</span>
          </Button>
        )}
      </fieldset>
    </form>
  );
}
