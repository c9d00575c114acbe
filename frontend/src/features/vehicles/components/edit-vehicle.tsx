import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { problemOf } from '@/api/problem';
import type { GarageVehicle } from '@/api/types';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { DialogActions } from '@/ui/dialog-actions';
import { Field } from '@/ui/field';
import { notify } from '@/ui/notify';
import { useEditGarageVehicleMutation } from '../api';
import { garageMessages as messages } from '../garage-messages';

type Errors = Partial<Record<'name' | 'vin', string>>;

const VIN = 17;
const LONGEST = 60;

/** What is wrong with what is typed, before the shop is asked. */
function errorsOf(name: string, vin: string): Errors {
  const signs = vin.replace(/[^A-Za-z0-9]/g, '').length;
  return {
    ...(name.trim().length > LONGEST ? { name: messages.longName } : {}),
    ...(signs !== 0 && signs !== VIN ? { vin: messages.vinLength } : {}),
  };
}

interface TypedProps {
  label: string;
  hint: ReactNode;
  error: string | undefined;
  value: string;
  onType: (typed: string) => void;
}

function Typed({ label, hint, error, value, onType }: TypedProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(fieldProps) => (
        <input
          {...fieldProps}
          className="input"
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onType(event.target.value)}
        />
      )}
    </Field>
  );
}

interface EditVehicleProps {
  kept: GarageVehicle;
  onClose: () => void;
}

/** The name and the VIN of a vehicle; an emptied field takes it away. */
export function EditVehicle({ kept, onClose }: EditVehicleProps) {
  const [edit, { isLoading }] = useEditGarageVehicleMutation();
  const form = useRef<HTMLFormElement>(null);
  const [name, setName] = useState(kept.name ?? '');
  const [vin, setVin] = useState(kept.vin ?? '');
  const [errors, setErrors] = useState<Errors>({});
  const [failure, setFailure] = useState<string | null>(null);

  const refuse = (wrong: Errors) => {
    setErrors(wrong);
    // Once the fields are marked.
    setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const wrong = errorsOf(name, vin);
    setFailure(null);
    if (Object.keys(wrong).length > 0) {
      refuse(wrong);
      return;
    }
    const editedGarageVehicle = { name: name.trim() || null, vin: vin.trim() || null };
    const { error } = await edit({ id: kept._id, editedGarageVehicle });
    if (!error) {
      onClose();
      notify.success(messages.saved);
      return;
    }
    const problem = problemOf(error);
    const { name: atName, vin: atVin } = problem.errors;
    if (atName === undefined && atVin === undefined) setFailure(problem.message);
    else refuse({ ...(atName ? { name: atName } : {}), ...(atVin ? { vin: atVin } : {}) });
  };

  return (
    <Dialog open title={messages.editTitle} onClose={onClose} locked={isLoading}>
      <form ref={form} noValidate className="grid gap-5" onSubmit={submit}>
        <p className="font-semibold">{kept.label}</p>
        <Typed
          label={messages.name}
          hint={messages.nameHint}
          error={errors.name}
          value={name}
          onType={setName}
        />
        <Typed
          label={messages.vin}
          hint={messages.vinHint}
          error={errors.vin}
          value={vin}
          onType={setVin}
        />
        {failure && <Alert tone="error">{failure}</Alert>}
        <DialogActions>
          <Button variant="outline" onClick={onClose} disabled={isLoading}>
            {messages.cancel}
          </Button>
          <Button type="submit" busy={isLoading}>
            {messages.save}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
