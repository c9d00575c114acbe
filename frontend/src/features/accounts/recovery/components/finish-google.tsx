import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { isRetryable, problemOf } from '@/api/problem';
import { PasswordGone } from '@/features/accounts/session/components/password-gone';
import { startSession } from '@/features/accounts/session/thunks';
import { useSessionDispatch } from '@/features/accounts/session/use-session';
import { paths, safeReturnPath } from '@/lib/paths';
import { Button, ButtonLink } from '@/ui/button';
import { useFinishGoogleByEmailMutation } from '../api';
import { finishGoogleMessages as messages } from '../messages';
import { Answer } from './answer';

/** Finishes a sign-in with Google for whoever reads the address's mail, in the browser that began it. */
export default function FinishGoogle({ token }: { token: string }) {
  const dispatch = useSessionDispatch();
  const navigate = useNavigate();
  const [finish, { error, isLoading }] = useFinishGoogleByEmailMutation();
  const [destination, setDestination] = useState<string | null>(null);
  const problem = error ? problemOf(error) : null;

  if (destination !== null) return <PasswordGone to={destination} />;
  if (problem && !isRetryable(problem)) {
    return (
      <Answer tone="error" message={problem.message}>
        <ButtonLink to={paths.login}>{messages.logIn}</ButtonLink>
      </Answer>
    );
  }

  const goOn = async () => {
    const { data } = await finish({ addressProof: { token } });
    if (!data) return;
    await dispatch(startSession());
    const to = safeReturnPath(data.destination);
    if (data.passwordGone) setDestination(to);
    else navigate(to, { replace: true });
  };

  return (
    <div className="grid gap-5">
      <p className="text-muted">{messages.intro}</p>
      <p role="alert" className="text-sm font-semibold text-error empty:hidden">
        {problem?.message}
      </p>
      <Button className="w-full" busy={isLoading} onClick={() => void goOn()}>
        {messages.action}
      </Button>
    </div>
  );
}
