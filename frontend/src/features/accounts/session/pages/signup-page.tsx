import { Link, Navigate } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { TextField } from '@/ui/form';
import { PasswordField } from '@/ui/password-field';
import { AuthCard } from '../components/auth-card';
import { AuthForm } from '../components/auth-form';
import { AuthGuard } from '../components/auth-guard';
import { GoogleButton } from '../components/google-button';
import { OriginNote, useOrigin } from '../components/origin-note';
import { signupSchema } from '../schema';
import { signUp } from '../thunks';
import { useSession, useSessionDispatch } from '../use-session';
import { authMessages, signupMessages } from './messages';

export default function SignupPage() {
  const session = useSession();
  const dispatch = useSessionDispatch();

  const { state, from, wanted } = useOrigin();

  // Home (spec, section 2), which leads on to the part.
  if (session.phase === 'in') {
    return <Navigate to={paths.home} replace state={wanted === null ? null : { wanted: from }} />;
  }
  return (
    <AuthCard title={signupMessages.title}>
      <AuthGuard>
        {wanted !== null && (
          <OriginNote toOrder={signupMessages.toOrder} onward={signupMessages.onward} />
        )}
        <AuthForm
          initial={{ name: '', email: '', password: '' }}
          schema={signupSchema}
          action={signupMessages.action}
          waiting={signupMessages.waiting}
          notice={null}
          onSubmit={(form, key) => dispatch(signUp({ ...form, key }))}
        >
          <TextField name="name" label={authMessages.name} autoComplete="name" />
          <TextField name="email" label={authMessages.email} type="email" autoComplete="email" />
          <PasswordField
            name="password"
            label={authMessages.password}
            autoComplete="new-password"
            hint={authMessages.passwordHint}
          />
        </AuthForm>
        <p>
          {signupMessages.isOld}{' '}
          <Link className="link-accent" to={paths.login} state={state}>
            {signupMessages.logIn}
          </Link>
        </p>
        {/* With an account that there is already, this is a log-in: it goes on with the part. */}
        <GoogleButton from={wanted === null ? paths.home : from} />
        <p className="text-sm text-muted">
          {signupMessages.agree}{' '}
          <Link className="link-accent" to={paths.terms}>
            {signupMessages.terms}
          </Link>
          . {signupMessages.seeAlso}{' '}
          <Link className="link-accent" to={paths.privacy}>
            {signupMessages.privacy}
          </Link>
          .
        </p>
      </AuthGuard>
    </AuthCard>
  );
}
