import type { User } from '@/api/types';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { useRemoveAccountMutation } from '../api';

interface RemoveUserProps {
  account: User;
  /** Whether this is who is signed in: nobody removes themselves. */
  self: boolean;
  onRemoved: (account: User) => void;
}

export function RemoveUser({ account, self, onRemoved }: RemoveUserProps) {
  const [remove] = useRemoveAccountMutation();
  const reasonId = `self-${account._id}`;
  return (
    <>
      <ConfirmedButton
        label="Remove User"
        context={account.email}
        disabled={self}
        describedBy={self ? reasonId : undefined}
        question={`Are you sure you want to remove ${account.email}?`}
        note="They are signed out everywhere and cannot sign in again. Their orders stay."
        danger
        onConfirm={() => remove(account.email)}
        // Gone already, by another admin: that is what was wanted.
        messageOf={({ status, message }) => (status === 404 ? null : message)}
        onDone={() => onRemoved(account)}
      />
      {self && (
        <span id={reasonId} className="text-sm text-muted">
          You cannot remove yourself.
        </span>
      )}
    </>
  );
}
