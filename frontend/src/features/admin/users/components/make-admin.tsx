import { problemOf } from '@/api/problem';
import type { User } from '@/api/types';
import { Button } from '@/ui/button';
import { notify } from '@/ui/notify';
import { useGrantAdminMutation } from '../api';
import { messages } from '../messages';

/** For whoever is no admin yet. */
export function MakeAdmin({ account }: { account: User }) {
  const [makeAdmin, { isLoading }] = useGrantAdminMutation();

  const make = async () => {
    const answer = await makeAdmin(account.email);
    if (!answer.error) {
      notify.success(messages.madeAdmin);
      return;
    }
    const { status, message } = problemOf(answer.error);
    notify.error(status === 403 ? messages.notAuthorized : message);
  };

  return (
    <Button variant="outline" busy={isLoading} onClick={make}>
      {messages.makeAdmin}
      <span className="sr-only"> {account.email}</span>
    </Button>
  );
}
