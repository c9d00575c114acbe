import { useState } from 'react';
import { readProblem } from '@/api/problem';
import type { User } from '@/api/types';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { useTakeAdminBackMutation } from '../api';

interface TakeAdminBackProps {
  person: User;
  /** Whether this is who is signed in: giving up one's own role has more to be said about it. */
  self: boolean;
  onTaken: (person: User) => void;
}

/** For admins. The last one keeps the role: the shop says so inside the question. */
export function TakeAdminBack({ person, self, onTaken }: TakeAdminBackProps) {
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [take, { isLoading }] = useTakeAdminBackMutation();

  const confirm = async () => {
    setFailure(null);
    const answer = await take(person.email);
    if (answer.error) {
      const { status, message } = readProblem(answer.error);
      setFailure(status === 403 ? 'You are not authorized to do this' : message);
      return;
    }
    setAsking(false);
    onTaken(person);
  };

  return (
    <>
      <Button
        look="outline"
        aria-haspopup="dialog"
        onClick={() => {
          setFailure(null);
          setAsking(true);
        }}
      >
        Remove Admin<span className="sr-only"> {person.email}</span>
      </Button>
      <ConfirmDialog
        open={asking}
        title="Remove Admin"
        question={
          self
            ? 'Are you sure you want to give up your own admin role?'
            : `Are you sure you want to take the admin role back from ${person.email}?`
        }
        note={
          self
            ? 'The admin screens close for you at once, and only another admin can open them again. The last admin keeps the role.'
            : 'They stay a customer: their account and their orders stay as they are.'
        }
        danger
        busy={isLoading}
        error={failure}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
