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
    <AuthCard title="Forgot your password?">
      {askedFor !== null ? (
        <Answer
          tone="success"
          message={
            <>
              If <strong className="wrap-anywhere">{askedFor}</strong> has an account, a letter is
              on its way. The link in it works for one hour.
            </>
          }
        >
          <ButtonLink to={paths.login}>Back to Login</ButtonLink>
          <Button variant="outline" onClick={() => setAskedFor(null)}>
            Try another email
          </Button>
        </Answer>
      ) : (
        <AuthGuard>
          <p className="text-muted">
            Tell us your email, and we send you a link by which you choose another password.
          </p>
          <AuthForm
            initial={{ email: '' }}
            schema={forgotSchema}
            action="Send the link"
            waiting="Asking for the letter"
            notice={null}
            onSubmit={submit}
          >
            <TextField name="email" label="Email" type="email" autoComplete="email" />
          </AuthForm>
          <p>
            It came back to you?{' '}
            <Link className="link-accent" to={paths.login}>
              Please Login
            </Link>
          </p>
        </AuthGuard>
      )}
    </AuthCard>
  );
}
