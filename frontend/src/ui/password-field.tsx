import { useField } from 'formik';
import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Field } from './field';
import * as messages from './late-messages';

interface PasswordFieldProps {
  name: string;
  label: string;
  autoComplete: 'current-password' | 'new-password';
  hint?: ReactNode;
  /** Beside the label, and after the field for the keyboard. */
  aside?: ReactNode;
}

/** A password, which can be looked at while it is typed. */
export function PasswordField({ name, label, autoComplete, hint, aside }: PasswordFieldProps) {
  const [field, meta] = useField<string>(name);
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Field label={label} hint={hint} error={meta.touched ? meta.error : undefined}>
        {(fieldProps) => (
          <div className="relative">
            <input
              {...field}
              {...fieldProps}
              type={shown ? 'text' : 'password'}
              autoComplete={autoComplete}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              className="input pr-14"
            />
            {/* Not named after the field, which would then be there twice for who looks for it by its label. */}
            <button
              type="button"
              className="absolute top-0 right-1 grid size-11 cursor-pointer place-content-center text-muted"
              onClick={() => setShown(!shown)}
              aria-pressed={shown}
              aria-label={messages.showCharacters}
              title={messages.showCharacters}
            >
              <Icon aria-hidden="true" className="size-5" />
            </button>
          </div>
        )}
      </Field>
      {aside && <div className="absolute top-0 right-0">{aside}</div>}
    </div>
  );
}
