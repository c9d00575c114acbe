import { useCallback, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useSignOut } from '@/features/accounts/session/use-session';
import { paths } from '@/lib/paths';

/**
 * Sign Out: ends the session and goes Home, from wherever it was asked. `onLeave` runs first: a menu closes there, since a
 * message could not be seen behind it.
 */
export function useLeave(onLeave?: () => void): { leave: () => void; leaving: boolean } {
  const signOut = useSignOut();
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);
  const leave = useCallback(() => {
    onLeave?.();
    setLeaving(true);
    void signOut().then((gone) => {
      setLeaving(false);
      if (gone) navigate(paths.home);
    });
  }, [signOut, navigate, onLeave]);
  return { leave, leaving };
}
