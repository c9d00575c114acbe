import type { User } from '@/api/types';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { useRevokeAdminMutation } from '../api';
import { messages } from '../messages';

const { removeAdmin: text } = messages;

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
      label={text.button}
      context={account.email}
      question={self ? text.ownQuestion : text.question(account.email)}
      note={self ? text.ownNote : text.note}
      danger
      onConfirm={() => take(account.email)}
      messageOf={({ status, message }) => (status === 403 ? messages.notAuthorized : message)}
      onDone={() => onTaken(account)}
    />
  );
}
