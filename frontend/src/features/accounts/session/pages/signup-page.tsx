import { Link, Navigate } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { TextField } from '@/ui/form';
import { AuthCard } from '../components/auth-card';
import { AuthForm } from '../components/auth-form';
import { AuthGuard } from '../components/auth-guard';
import { GoogleButton } from '../components/google-button';
import { signupSchema } from '../schema';
import { signUp } from '../thunks';
import { useSession, useSessionDispatch } from '../use-session';

export default function SignupPage() {
  const session = useSession();
  const dispatch = useSessionDispatch();

  if (session.phase === 'in') return <Navigate to={paths.home} replace />;
  return (
    <AuthCard title="Sign Up">
      <AuthGuard>
        <AuthForm
          initial={{ name: '', email: '', password: '' }}
          schema={signupSchema}
          action="SIGNUP"
          waiting="Creating your account"
          notice={null}
          onSubmit={(form, key) => dispatch(signUp({ ...form, key }))}
        >
          <TextField name="name" label="Name" autoComplete="name" />
          <TextField name="email" label="Email" type="email" autoComplete="email" />
          <TextField
            name="password"
            label="Password"
            type="password"
            autoComplete="new-password"
            hint="At least 6 characters"
          />
        </AuthForm>
        <p>
          Already have an account?{' '}
          <Link className="link-accent" to={paths.login}>
            Please Login
          </Link>
        </p>
        <GoogleButton from={paths.home} />
      </AuthGuard>
    </AuthCard>
  );
}
