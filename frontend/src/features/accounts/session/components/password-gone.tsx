import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';

/** For somebody who continued with Google and so became the owner of an account that nobody had confirmed. */
export function PasswordGone({ to }: { to: string }) {
  return (
    <div className="grid gap-6">
      <p role="status">
        You are signed in with Google. Somebody had signed up with your address before, without
        confirming it. <strong>The password that was set before is gone</strong>; choose one by{' '}
        <Link className="link-accent" to={paths.forgotPassword}>
          Forgot your password
        </Link>{' '}
        if you want one.
      </p>
      <ButtonLink to={to}>Go on</ButtonLink>
    </div>
  );
}
