import type { User } from '@/api/types';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { useRemoveAccountMutation } from '../api';
import { messages } from '../messages';

const { remove: text } = messages;

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
        label={text.button}
        context={account.email}
        disabled={self}
        describedBy={self ? reasonId : undefined}
        question={text.question(account.email)}
        note={text.note}
        danger
        onConfirm={() => remove(account.email)}
        // Gone already, by another admin: that is what was wanted.
        messageOf={({ status, message }) => (status === 404 ? null : message)}
        onDone={() => onRemoved(account)}
      />
      {self && (
        <span id={reasonId} className="text-sm text-muted">
          {text.self}
        </span>
      )}
    </>
  );
}
