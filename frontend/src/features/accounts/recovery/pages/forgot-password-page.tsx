import { useState } from 'react';
import { Link } from 'react-router-dom';
import { problemOf } from '@/api/problem';
import { AuthCard } from '@/features/accounts/session/components/auth-card';
import { AuthForm } from '@/features/accounts/session/components/auth-form';
import { AuthGuard } from '@/features/accounts/session/components/auth-guard';
import { paths } from '@/lib/paths';
import { Button, ButtonLink } from '@/ui/button';
import { TextField } from '@/ui/form';
import { useRequestPasswordResetMutation } from '../api';
import { Answer } from '../components/answer';
import { forgotMessages as messages } from '../messages';
import { forgotSchema } from '../schema';

export default function ForgotPasswordPage() {
  const [ask] = useRequestPasswordResetMutation();
  const [askedFor, setAskedFor] = useState<string | null>(null);

  const submit = async ({ email }: { email: string }, key: string) => {
    const { error } = await ask({ forgottenPassword: { email }, 'Idempotency-Key': key });
    if (error) return { ok: false, problem: problemOf(error) } as const;
    setAskedFor(email);
    return { ok: true } as const;
  };

  return (
    <AuthCard title={messages.title}>
      {askedFor !== null ? (
        <Answer
          tone="success"
          message={
            <>
              {messages.beforeEmail}
              <strong className="wrap-anywhere">{askedFor}</strong>
              {messages.afterEmail}
            </>
          }
        >
          <ButtonLink to={paths.login}>{messages.backToLogin}</ButtonLink>
          <Button variant="outline" onClick={() => setAskedFor(null)}>
            {messages.otherEmail}
          </Button>
        </Answer>
      ) : (
        <AuthGuard>
          <p className="text-muted">{messages.intro}</p>
          <AuthForm
            initial={{ email: '' }}
            schema={forgotSchema}
            action={messages.action}
            waiting={messages.waiting}
            notice={null}
            onSubmit={submit}
          >
            <TextField name="email" label={messages.email} type="email" autoComplete="email" />
          </AuthForm>
          <p>
            {messages.remembered}{' '}
            <Link className="link-accent" to={paths.login}>
              {messages.logIn}
            </Link>
          </p>
        </AuthGuard>
      )}
    </AuthCard>
  );
}
