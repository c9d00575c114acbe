import { Link, Navigate, useLocation, useSearchParams } from 'react-router-dom';
import type { Person } from '@/api/types';
import { paths, safeReturnPath } from '@/lib/paths';
import { useHydrated } from '@/lib/use-hydrated';
import { ErrorState } from '@/ui/error-state';
import { TextField } from '@/ui/form';
import { SpinnerPage } from '@/ui/spinner';
import { AuthCard } from '../components/auth-card';
import { AuthForm } from '../components/auth-form';
import { AuthGuard } from '../components/auth-guard';
import { GoogleButton } from '../components/google-button';
import { NoEntry } from '../components/no-entry';
import { PasswordGone } from '../components/password-gone';
import { loginSchema } from '../schema';
import { logIn } from '../thunks';
import { useRole, useSession, useSessionDispatch } from '../use-session';

/** Why the way back from Google ended here. */
const refusals: Record<string, string> = {
  google_cancelled: 'Signing in with Google was cancelled.',
  google_unverified:
    'Google does not vouch for this email. If you can read its mail, open the link that we sent there, in this browser.',
  google_sign_in_first:
    'Google does not open this account yet. Log in with your password, then link Google on your profile.',
  google_failed: 'Signing in with Google did not work. Please try again.',
  removed: 'This account was removed and cannot sign in.',
};

/** Back to a page for admins, for those who are. */
function OnwardAsAdmin({ user, to }: { user: Person; to: string }) {
  const role = useRole();
  switch (role.state) {
    case 'admin':
      return <Navigate to={to} replace />;
    case 'failed':
      return (
        <ErrorState
          title="Your role could not be checked"
          error={role.error}
          onRetry={role.retry}
        />
      );
    case 'none':
    case 'asking':
      return <SpinnerPage label="Checking your role" />;
    case 'customer':
      return <NoEntry user={user} />;
  }
}

/** Back to where they came from, unless that is a place they may not enter. */
function Onward({ user, to, adminOnly }: { user: Person; to: string; adminOnly: boolean }) {
  if (adminOnly) return <OnwardAsAdmin user={user} to={to} />;
  return <Navigate to={to} replace />;
}

export default function LoginPage() {
  const session = useSession();
  const dispatch = useSessionDispatch();
  const { state } = useLocation();
  const [params] = useSearchParams();
  const hydrated = useHydrated();
  const origin = state as { from?: unknown; adminOnly?: unknown } | null;
  const from = safeReturnPath(origin?.from);

  if (session.phase === 'in') {
    // Where the server sends somebody whose account was somebody else's until now.
    if (params.get('notice') === 'google_password_gone') {
      return (
        <AuthCard title="Welcome">
          <PasswordGone to={safeReturnPath(params.get('from'))} />
        </AuthCard>
      );
    }
    return (
      <AuthCard title="Login">
        <Onward user={session.user} to={from} adminOnly={origin?.adminOnly === true} />
      </AuthCard>
    );
  }
  return (
    <AuthCard title="Login">
      <AuthGuard>
        {hydrated && from !== paths.home && (
          <p className="text-muted">Please log in to go on. You will be taken right back.</p>
        )}
        <AuthForm
          initial={{ email: '', password: '' }}
          schema={loginSchema}
          action="Login"
          waiting="Logging in"
          notice={(hydrated && refusals[params.get('error') ?? '']) || null}
          onSubmit={(form) => dispatch(logIn(form))}
        >
          <TextField name="email" label="Email" type="email" autoComplete="email" />
          <TextField
            name="password"
            label="Password"
            type="password"
            autoComplete="current-password"
          />
        </AuthForm>
        <p>
          New to Driveline?{' '}
          <Link className="link-accent" to={paths.signup}>
            Create New Account
          </Link>
        </p>
        <Link
          className="link-accent inline-flex min-h-11 items-center justify-self-start text-sm"
          to={paths.forgotPassword}
        >
          Forgot your password?
        </Link>
        <GoogleButton from={from} />
      </AuthGuard>
    </AuthCard>
  );
}
