import { Form as FormikForm, useField, useFormikContext } from 'formik';
import {
  type InputHTMLAttributes,
  type MouseEvent,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useEffect,
  useRef,
} from 'react';
import { Field } from './field';

/* Formik's side of the fields. Import it from lazy routes only: the library is no part of the first page. */

/**
 * Pressing a button takes no focus from a field: its message would appear at that moment and move the button away from
 * under the pointer, so that the click would be lost.
 */
function keepFocus(event: MouseEvent<HTMLFormElement>): void {
  if (event.target instanceof Element && event.target.closest('button')) event.preventDefault();
}

/** A Formik form that says its messages itself and, after a refused submit, moves the focus to the first of them. */
export function Form({ children, className }: { children: ReactNode; className?: string }) {
  const { submitCount, isSubmitting, errors } = useFormikContext();
  const area = useRef<HTMLDivElement>(null);
  const answered = useRef(0);

  useEffect(() => {
    if (isSubmitting || submitCount === answered.current) return;
    answered.current = submitCount;
    if (Object.keys(errors).length === 0) return;
    area.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [submitCount, isSubmitting, errors]);

  return (
    <FormikForm noValidate className={className} onMouseDown={keepFocus}>
      <div ref={area} className="contents">
        {children}
      </div>
    </FormikForm>
  );
}

interface Common {
  name: string;
  label: string;
  hint?: ReactNode;
}

/** The field's own message, once it was touched or the form was sent. */
function useMessage(name: string) {
  const [field, meta] = useField<string>(name);
  return { field, error: meta.touched ? meta.error : undefined };
}

type TextFieldProps = Common & Omit<InputHTMLAttributes<HTMLInputElement>, 'name'>;

export function TextField({ name, label, hint, ...rest }: TextFieldProps) {
  const { field, error } = useMessage(name);
  return (
    <Field label={label} hint={hint} error={error}>
      {(fieldProps) => <input {...rest} {...field} {...fieldProps} className="input" />}
    </Field>
  );
}

type TextAreaFieldProps = Common & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'name'>;

export function TextAreaField({ name, label, hint, ...rest }: TextAreaFieldProps) {
  const { field, error } = useMessage(name);
  return (
    <Field label={label} hint={hint} error={error}>
      {(fieldProps) => (
        <textarea rows={4} {...rest} {...field} {...fieldProps} className="textarea" />
      )}
    </Field>
  );
}

type SelectFieldProps = Common &
  Omit<SelectHTMLAttributes<HTMLSelectElement>, 'name'> & {
    options: readonly { value: string; label: string }[];
  };

export function SelectField({ name, label, hint, options, ...rest }: SelectFieldProps) {
  const { field, error } = useMessage(name);
  return (
    <Field label={label} hint={hint} error={error}>
      {(fieldProps) => (
        <select {...rest} {...field} {...fieldProps} className="select">
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
