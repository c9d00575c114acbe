import { useState } from 'react';
import { readProblem } from '@/api/problem';
import type { User } from '@/api/types';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { useRemoveUserMutation } from '../api';

interface RemoveUserProps {
  person: User;
  /** Whether this is who is signed in: nobody removes themselves. */
  self: boolean;
  onRemoved: (person: User) => void;
}

export function RemoveUser({ person, self, onRemoved }: RemoveUserProps) {
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [remove, { isLoading }] = useRemoveUserMutation();
  const reasonId = `self-${person._id}`;

  const confirm = async () => {
    setFailure(null);
    const answer = await remove(person.email);
    // Gone already, by another admin: that is what was wanted.
    if (answer.error && readProblem(answer.error).status !== 404) {
      setFailure(readProblem(answer.error).message);
      return;
    }
    setAsking(false);
    onRemoved(person);
  };

  return (
    <>
      <Button
        look="outline"
        aria-haspopup="dialog"
        disabled={self}
        aria-describedby={self ? reasonId : undefined}
        onClick={() => {
          setFailure(null);
          setAsking(true);
        }}
      >
        Remove User<span className="sr-only"> {person.email}</span>
      </Button>
      {self && (
        <span id={reasonId} className="text-sm text-muted">
          You cannot remove yourself.
        </span>
      )}
      <ConfirmDialog
        open={asking}
        title="Remove User"
        question={`Are you sure you want to remove ${person.email}?`}
        note="They are signed out everywhere and cannot sign in again. Their orders stay."
        danger
        busy={isLoading}
        error={failure}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
