import { useField } from 'formik';
import { type ReactNode, useId } from 'react';

/** Something to be ticked in a Formik form. Lazy routes only, as `ui/form`. */
export function CheckboxField({
  name,
  label,
  hint,
}: {
  name: string;
  label: string;
  hint?: ReactNode;
}) {
  const [{ value, onChange, onBlur }] = useField<boolean>(name);
  const id = useId();
  return (
    <div className="grid gap-1">
      <label className="flex min-h-11 cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          name={name}
          className="checkbox border-edge checked:border-primary checked:bg-primary checked:text-primary-content"
          aria-describedby={hint ? id : undefined}
          checked={value}
          onChange={onChange}
          onBlur={onBlur}
        />
        <span className="font-semibold">{label}</span>
      </label>
      {hint && (
        <p id={id} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
