import type { Person } from '@/api/types';
import { paths } from '@/lib/paths';
import { Button, ButtonLink } from '@/ui/button';
import { useSignOut } from '../use-session';

/** For somebody who is signed in and came from a page they may not enter: says why, and where they can go. */
export function NoEntry({ user }: { user: Person }) {
  const signOut = useSignOut();
  return (
    <div className="grid gap-5">
      <p role="alert" className="text-lg">
        The page you asked for is for admins only. You are signed in as{' '}
        <strong>{user.email}</strong>, which is not an admin account.
      </p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink to={paths.home}>Home</ButtonLink>
        <Button variant="outline" onClick={() => void signOut()}>
          Use another account
        </Button>
      </div>
    </div>
  );
}
