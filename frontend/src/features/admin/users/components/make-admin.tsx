import { problemOf } from '@/api/problem';
import type { User } from '@/api/types';
import { Button } from '@/ui/button';
import { notify } from '@/ui/notify';
import { useGrantAdminMutation } from '../api';

/** For whoever is no admin yet. */
export function MakeAdmin({ account }: { account: User }) {
  const [makeAdmin, { isLoading }] = useGrantAdminMutation();

  const make = async () => {
    const answer = await makeAdmin(account.email);
    if (!answer.error) {
      notify.success('Successfully made an admin');
      return;
    }
    const { status, message } = problemOf(answer.error);
    notify.error(status === 403 ? 'You are not authorized to do this' : message);
  };

  return (
    <Button variant="outline" busy={isLoading} onClick={make}>
      Make Admin<span className="sr-only"> {account.email}</span>
    </Button>
  );
}
