import { Suspense, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import type { Person } from '@/api/types';
import { paths, safeReturnPath } from '@/lib/paths';
import { retryingLazy } from '@/lib/retrying-lazy';
import { useHydrated } from '@/lib/use-hydrated';
import { ErrorState } from '@/ui/error-state';
import { TextField } from '@/ui/form';
import { PasswordField } from '@/ui/password-field';
import { SpinnerPage } from '@/ui/spinner';
import { AuthCard } from '../components/auth-card';
import { AuthForm } from '../components/auth-form';
import { AuthGuard } from '../components/auth-guard';
import { GoogleButton } from '../components/google-button';
import { NoEntry } from '../components/no-entry';
import { OriginNote, useOrigin } from '../components/origin-note';
import { PasswordGone } from '../components/password-gone';
import { loginSchema } from '../schema';
import { logIn } from '../thunks';
import { useRole, useSession, useSessionDispatch } from '../use-session';
import { authMessages, googleRefusals, loginMessages } from './messages';

const SecondStep = retryingLazy(
  () =>
    import(
      /* webpackChunkName: "second-step" */ '@/features/accounts/two-step/components/second-step'
    ),
);

/** Back to a page for admins, for those who are. */
function OnwardAsAdmin({ user, to }: { user: Person; to: string }) {
  const role = useRole();
  switch (role.state) {
    case 'admin':
      return <Navigate to={to} replace />;
    case 'failed':
      return (
        <ErrorState
          title={loginMessages.permissionsFailed}
          error={role.error}
          onRetry={role.retry}
        />
      );
    case 'none':
    case 'asking':
      return <SpinnerPage label={loginMessages.checkingPermissions} />;
    case 'customer':
      return <NoEntry user={user} />;
  }
}

/** Whoever signs in here and came from nowhere begins at Home, and an admin at the overview. */
function Begin() {
  const role = useRole();
  if (role.state === 'asking') return <SpinnerPage label={loginMessages.checkingPermissions} />;
  return <Navigate to={role.state === 'admin' ? paths.overview : paths.home} replace />;
}

/** Back to where they came from, unless that is a place they may not enter. */
function Onward({ user, to, adminOnly, begins }: OnwardProps) {
  if (adminOnly) return <OnwardAsAdmin user={user} to={to} />;
  return begins && to === paths.home ? <Begin /> : <Navigate to={to} replace />;
}

interface OnwardProps {
  user: Person;
  to: string;
  adminOnly: boolean;
  /** Whether they have just signed in; whoever was signed in already has nothing to do here and goes Home. */
  begins: boolean;
}

export default function LoginPage() {
  const session = useSession();
  const dispatch = useSessionDispatch();
  const [params] = useSearchParams();
  const hydrated = useHydrated();
  const { state, from, adminOnly } = useOrigin();
  const [wasOut, setWasOut] = useState(false);
  if (session.phase === 'out' && !wasOut) setWasOut(true);

  if (session.phase === 'in') {
    // Where the server sends somebody whose account was somebody else's until now.
    if (params.get('notice') === 'google_password_gone') {
      return (
        <AuthCard title={loginMessages.welcome}>
          <PasswordGone to={safeReturnPath(params.get('from'))} />
        </AuthCard>
      );
    }
    return (
      <AuthCard title={loginMessages.title}>
        <Onward user={session.user} to={from} adminOnly={adminOnly} begins={wasOut} />
      </AuthCard>
    );
  }
  if (session.phase === 'out' && session.half) {
    return (
      <AuthCard title={loginMessages.oneMoreStep}>
        <Suspense fallback={<SpinnerPage label={loginMessages.waiting} />}>
          <SecondStep />
        </Suspense>
      </AuthCard>
    );
  }
  return (
    <AuthCard title={loginMessages.title}>
      <AuthGuard>
        <OriginNote toOrder={loginMessages.toOrder} onward={loginMessages.onward} />
        <AuthForm
          initial={{ email: '', password: '' }}
          schema={loginSchema}
          action={loginMessages.action}
          waiting={loginMessages.waiting}
          notice={(hydrated && googleRefusals[params.get('error') ?? '']) || null}
          onSubmit={(form) => dispatch(logIn(form))}
        >
          <TextField name="email" label={authMessages.email} type="email" autoComplete="username" />
          <PasswordField
            name="password"
            label={authMessages.password}
            autoComplete="current-password"
            aside={
              <Link
                className="link-accent -my-2.5 inline-flex min-h-11 items-center text-sm"
                to={paths.forgotPassword}
              >
                {loginMessages.forgot}
              </Link>
            }
          />
        </AuthForm>
        <p>
          {loginMessages.isNew}{' '}
          <Link className="link-accent" to={paths.signup} state={state}>
            {loginMessages.signUp}
          </Link>
        </p>
        <GoogleButton from={from} />
      </AuthGuard>
    </AuthCard>
  );
}
