import { Navigate, Outlet } from 'react-router-dom';
import { useRole } from '@/features/accounts/session/use-session';
import { paths } from '@/lib/paths';
import { ErrorState } from '@/ui/error-state';
import { SpinnerPage } from '@/ui/spinner';
import { useOrigin } from './guards';
import { Heading } from './heading';
import { messages as late } from './late-messages';

/** Lets admins through, and sends everybody else to login. Stands inside `SignedInOnly`. */
export default function AdminOnly() {
  const role = useRole();
  const origin = useOrigin();
  switch (role.state) {
    case 'asking':
      return (
        <>
          <Heading>{late.permissions}</Heading>
          <div className="appear-after-wait">
            <SpinnerPage label={late.checkingPermissions} />
          </div>
        </>
      );
    case 'failed':
      return (
        <>
          <Heading>{late.permissions}</Heading>
          <ErrorState title={late.permissionsFailed} error={role.error} onRetry={role.retry} />
        </>
      );
    case 'none':
    case 'customer':
      // Whatever the path looks like, as one with a parameter: Login must not send them back here.
      return <Navigate to={paths.login} replace state={{ ...origin, adminOnly: true }} />;
    case 'admin':
      return <Outlet />;
  }
}
