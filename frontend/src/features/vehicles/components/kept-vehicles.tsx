import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { GarageVehicle } from '@/api/types';
import { closeKeyboard } from '@/lib/close-keyboard';
import { formatDay } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { DialogButton } from '@/ui/dialog-button';
import { useRemoveGarageVehicleMutation } from '../api';
import { garageMessages as messages } from '../garage-messages';
import { EditVehicle } from './edit-vehicle';

const nameOf = ({ name, label }: GarageVehicle) => name ?? label;

/** From so many on they are looked for by typing. */
const MANY = 8;

const shopFor = ({ vehicle, engine }: GarageVehicle) =>
  `${paths.shop}?${new URLSearchParams({
    vehicle: String(vehicle),
    ...(engine === null ? {} : { engine: String(engine) }),
  })}`;

function Vehicle({ kept }: { kept: GarageVehicle }) {
  const [remove] = useRemoveGarageVehicleMutation();
  return (
    <li className="card-surface flex flex-wrap items-center justify-between gap-4 p-4 sm:p-6">
      <div className="min-w-0">
        <h2 className="text-xl break-words">{nameOf(kept)}</h2>
        {kept.name !== null && <p>{kept.label}</p>}
        <p className="text-muted">
          {kept.vin === null ? messages.noVin : `${messages.vin} ${kept.vin}`}
          {' · '}
          {messages.addedOn(formatDay(kept.addedAt))}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Link to={shopFor(kept)} className="btn btn-primary">
          {messages.shop} <span className="sr-only">{nameOf(kept)}</span>
        </Link>
        <DialogButton label={messages.edit} context={nameOf(kept)}>
          {(close) => <EditVehicle kept={kept} onClose={close} />}
        </DialogButton>
        <ConfirmedButton
          label={messages.remove}
          context={nameOf(kept)}
          question={messages.question(nameOf(kept))}
          note={messages.note}
          danger
          onConfirm={() => remove(kept._id)}
          // Gone already, from another browser: that is what was wanted.
          messageOf={({ status, message }) => (status === 404 ? null : message)}
        />
      </div>
    </li>
  );
}

/** The vehicles of a garage, and what can be done with each. */
export function KeptVehicles({ vehicles }: { vehicles: readonly GarageVehicle[] }) {
  const [typed, setTyped] = useState('');
  const wanted = typed.trim().toLowerCase();
  const shown = vehicles.filter((kept) =>
    `${kept.name ?? ''} ${kept.label} ${kept.vin ?? ''}`.toLowerCase().includes(wanted),
  );
  return (
    <section aria-label={messages.list} className="grid gap-4">
      {vehicles.length > MANY && (
        <input
          type="search"
          className="input max-w-md"
          aria-label={messages.filter}
          placeholder={messages.filter}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={closeKeyboard}
        />
      )}
      {shown.length === 0 ? (
        <p role="status">{messages.noMatch}</p>
      ) : (
        <ul className="grid gap-4">
          {shown.map((kept) => (
            <Vehicle key={kept._id} kept={kept} />
          ))}
        </ul>
      )}
    </section>
  );
}
