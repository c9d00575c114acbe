import type { User } from '@/api/types';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { useRevokeAdminMutation } from '../api';

interface TakeAdminBackProps {
  account: User;
  /** Whether this is who is signed in: giving up one's own role has more to be said about it. */
  self: boolean;
  onTaken: (account: User) => void;
}

/** For admins. The last one keeps the role: the shop says so inside the question. */
export function TakeAdminBack({ account, self, onTaken }: TakeAdminBackProps) {
  const [take] = useRevokeAdminMutation();
  return (
    <ConfirmedButton
      label="Remove Admin"
      context={account.email}
      question={
        self
          ? 'Are you sure you want to give up your own admin role?'
          : `Are you sure you want to take the admin role back from ${account.email}?`
      }
      note={
        self
          ? 'The admin screens close for you at once, and only another admin can open them again. The last admin keeps the role.'
          : 'They stay a customer: their account and their orders stay as they are.'
      }
      danger
      onConfirm={() => take(account.email)}
      messageOf={({ status, message }) =>
        status === 403 ? 'You are not authorized to do this' : message
      }
      onDone={() => onTaken(account)}
    />
  );
}
