import { type ReactNode, useId, type WheelEvent } from 'react';

interface ControlProps {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
  onWheel: (event: WheelEvent<HTMLElement>) => void;
}

/** A wheel that scrolls the page would count a focused number up or down on its way; without the focus it does not. */
function leaveNumber({ currentTarget }: WheelEvent<HTMLElement>): void {
  if (currentTarget.matches('[type="number"]:focus')) currentTarget.blur();
}

interface FieldProps {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
  /** Draws the control with what ties it to label, hint and error. */
  children: (fieldProps: ControlProps) => ReactNode;
}

/** A label, a control, and below it the hint and the one message that belongs to this field. */
export function Field({ label, error, hint, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : '', error ? `${id}-error` : '']
    .filter(Boolean)
    .join(' ');
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {children({
        id,
        'aria-describedby': described || undefined,
        'aria-invalid': error ? true : undefined,
        onWheel: leaveNumber,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-muted">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="text-sm font-semibold text-error">
          {error}
        </p>
      )}
    </div>
  );
}
