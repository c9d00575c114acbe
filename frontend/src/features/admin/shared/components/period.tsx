import { useEffect, useState } from 'react';
import { Field } from '@/ui/field';
import { messages } from '../messages';

/** A year that is being typed passes through 0002 and 0202 on its way to 2026. */
const FIRST = '2000-01-01';

interface DayProps {
  label: string;
  value: string;
  onChange: (day: string) => void;
}

function Day({ label, value, onChange }: DayProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <Field label={label}>
      {(fieldProps) => (
        <input
          {...fieldProps}
          type="date"
          className="input"
          min={FIRST}
          max="9999-12-31"
          value={typed}
          onChange={({ target: { value: day } }) => {
            setTyped(day);
            if (day === '' || day >= FIRST) onChange(day);
          }}
        />
      )}
    </Field>
  );
}

interface PeriodProps {
  /** Dates as `2026-11-21`; empty for none. */
  from: string;
  to: string;
  onChange: (days: { from: string; to: string }) => void;
}

/** The first and the last day of what a list shows. One that is moved past the other takes it along. */
export function Period({ from, to, onChange }: PeriodProps) {
  return (
    <fieldset className="mb-6 grid items-end gap-4 min-[22rem]:grid-cols-2 xl:grid-cols-[minmax(0,1fr)_13rem_13rem]">
      <legend className="sr-only">{messages.period}</legend>
      <p className="text-sm text-muted min-[22rem]:col-span-2 xl:col-span-1">{messages.days}</p>
      <Day
        label={messages.from}
        value={from}
        onChange={(day) => onChange({ from: day, to: to && day > to ? day : to })}
      />
      <Day
        label={messages.to}
        value={to}
        onChange={(day) => onChange({ from: day && day < from ? day : from, to: day })}
      />
    </fieldset>
  );
}
