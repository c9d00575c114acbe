import type { Person } from '@/api/types';
import { paths } from '@/lib/paths';
import { Button, ButtonLink } from '@/ui/button';
import { noEntryMessages } from '../pages/messages';
import { useSignOut } from '../use-session';

/** For somebody who is signed in and came from a page they may not enter: says why, and where they can go. */
export function NoEntry({ user }: { user: Person }) {
  const signOut = useSignOut();
  return (
    <div className="grid gap-5">
      <p role="alert" className="text-lg">
        {noEntryMessages.beforeEmail}
        <strong>{user.email}</strong>
        {noEntryMessages.afterEmail}
      </p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={paths.home}>{noEntryMessages.home}</ButtonLink>
        <Button variant="outline" onClick={() => void signOut()}>
          {noEntryMessages.otherAccount}
        </Button>
      </div>
    </div>
  );
}
