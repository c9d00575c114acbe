import { useState } from 'react';
import { problemOf } from '@/api/problem';
import { AuthCard } from '@/features/accounts/session/components/auth-card';
import { AuthForm } from '@/features/accounts/session/components/auth-form';
import { AuthGuard } from '@/features/accounts/session/components/auth-guard';
import { useForgetSession } from '@/features/accounts/session/use-session';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { PasswordField } from '@/ui/password-field';
import { useResetPasswordMutation } from '../api';
import { Answer } from '../components/answer';
import { CUT_LINK, resetMessages as messages } from '../messages';
import { resetSchema } from '../schema';
import { useLinkToken } from '../use-link-token';

type End = { kind: 'done'; email: string } | { kind: 'gone'; message: string };

function ChoosePassword({ token }: { token: string | undefined }) {
  const [reset] = useResetPasswordMutation();
  const forgetSession = useForgetSession();
  const [end, setEnd] = useState<End | null>(null);

  const submit = async ({ password }: { password: string }, key: string) => {
    const answer = await reset({
      newPassword: { token: token ?? '', password },
      'Idempotency-Key': key,
    });
    if (answer.data) {
      setEnd({ kind: 'done', email: answer.data.email });
      // Every session has ended on the server, this browser's too.
      forgetSession();
      return { ok: true } as const;
    }
    const problem = problemOf(answer.error);
    if (problem.status === 410) setEnd({ kind: 'gone', message: problem.message });
    return { ok: false, problem } as const;
  };

  if (end?.kind === 'done') {
    return (
      <Answer
        tone="success"
        message={
          <>
            {messages.beforeEmail}
            <strong className="wrap-anywhere">{end.email}</strong>
            {messages.afterEmail}
          </>
        }
      >
        <ButtonLink to={paths.login}>{messages.logIn}</ButtonLink>
      </Answer>
    );
  }
  if (end?.kind === 'gone') {
    return (
      <Answer tone="error" message={end.message}>
        <ButtonLink to={paths.forgotPassword}>{messages.newLink}</ButtonLink>
      </Answer>
    );
  }
  return (
    <AuthGuard>
      <AuthForm
        initial={{ password: '' }}
        schema={resetSchema}
        action={messages.action}
        waiting={messages.waiting}
        notice={null}
        onSubmit={submit}
      >
        <PasswordField
          name="password"
          label={messages.field}
          autoComplete="new-password"
          hint={messages.hint}
        />
      </AuthForm>
    </AuthGuard>
  );
}

export default function ResetPasswordPage() {
  const token = useLinkToken();
  return (
    <AuthCard title={messages.title}>
      {token === null ? (
        <Answer tone="error" message={CUT_LINK}>
          <ButtonLink to={paths.forgotPassword}>{messages.newLink}</ButtonLink>
        </Answer>
      ) : (
        <ChoosePassword key={token} token={token} />
      )}
    </AuthCard>
  );
}
