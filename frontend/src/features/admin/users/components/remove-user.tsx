import type { User } from '@/api/types';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { useRemoveUserMutation } from '../api';

interface RemoveUserProps {
  person: User;
  /** Whether this is who is signed in: nobody removes themselves. */
  self: boolean;
  onRemoved: (person: User) => void;
}

export function RemoveUser({ person, self, onRemoved }: RemoveUserProps) {
  const [remove] = useRemoveUserMutation();
  const reasonId = `self-${person._id}`;
  return (
    <>
      <ConfirmedButton
        label="Remove User"
        context={person.email}
        disabled={self}
        describedBy={self ? reasonId : undefined}
        question={`Are you sure you want to remove ${person.email}?`}
        note="They are signed out everywhere and cannot sign in again. Their orders stay."
        danger
        onConfirm={() => remove(person.email)}
        // Gone already, by another admin: that is what was wanted.
        messageOf={({ status, message }) => (status === 404 ? null : message)}
        onDone={() => onRemoved(person)}
      />
      {self && (
        <span id={reasonId} className="text-sm text-muted">
          You cannot remove yourself.
        </span>
      )}
    </>
  );
}
