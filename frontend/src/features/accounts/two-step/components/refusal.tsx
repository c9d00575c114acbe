import { useNavigate } from 'react-router-dom';
import { type CallError, problemOf } from '@/api/problem';
import { useSignOut } from '@/features/accounts/session/use-session';
import { paths } from '@/lib/paths';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { setupMessages as messages } from '../messages';

/** Why a step was refused, and the way on where a fresh log-in is asked for. */
export function Refusal({ error }: { error: CallError }) {
  const { slug, message } = problemOf(error);
  const signOut = useSignOut();
  const navigate = useNavigate();
  const again = async () => {
    if (await signOut()) navigate(paths.login, { state: { from: paths.profile } });
  };
  return (
    <Alert tone="error">
      <p>{message}</p>
      {slug === 'sign-in-again' && (
        <Button variant="outline" className="mt-3" onClick={() => void again()}>
          {messages.logInAgain}
        </Button>
      )}
    </Alert>
  );
}
