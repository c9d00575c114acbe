import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { passwordGoneMessages as messages } from '../pages/messages';

/** For somebody who continued with Google and so became the owner of an account that nobody had confirmed. */
export function PasswordGone({ to }: { to: string }) {
  return (
    <div className="grid gap-6">
      <p role="status">
        {messages.signedIn} <strong>{messages.gone}</strong> {messages.beforeLink}{' '}
        <Link className="link-accent" to={paths.forgotPassword}>
          {messages.link}
        </Link>
        .
      </p>
      <ButtonLink to={to}>{messages.onward}</ButtonLink>
    </div>
  );
}
