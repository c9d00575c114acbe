import { useId } from 'react';
import { Link } from 'react-router-dom';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/button';
import { useSubscribeToNewsletterMutation } from './api';
import { newsletterMessages as messages } from './messages';
import { useAddressForm } from './use-address-form';

/** The footer's newsletter box. */
export function NewsletterBox() {
  const id = useId();
  const keys = useIdempotencyKeys();
  const [subscribe, { isLoading }] = useSubscribeToNewsletterMutation();
  const { input, email, setEmail, error, sent, submit } = useAddressForm(async (address) => {
    const answer = await subscribe({
      subscription: { email: address },
      'Idempotency-Key': keys.keyFor(address),
    });
    if (!answer.error) keys.finish();
    return answer.error;
  });

  return (
    <form noValidate onSubmit={submit} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`} className="mb-3 text-lg">
        {messages.heading}
      </h2>
      <label htmlFor={id} className="mb-2 block text-muted">
        {messages.label}
      </label>
      <div className="flex gap-2 max-xs:flex-col">
        <input
          ref={input}
          id={id}
          type="email"
          autoComplete="email"
          placeholder={messages.placeholder}
          className="input min-w-0 flex-1"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
          aria-invalid={error ? true : undefined}
          aria-describedby={`${id}-answer`}
        />
        <Button type="submit" busy={isLoading}>
          {messages.subscribe}
        </Button>
      </div>
      <p id={`${id}-answer`} role="status" className="mt-2 min-h-6 text-sm">
        {error && <span className="font-semibold text-error">{error}</span>}
        {sent !== null && <span className="font-semibold text-success">{messages.thanks}</span>}
      </p>
      <Link className="link-accent" to={paths.unsubscribe}>
        {messages.unsubscribe}
      </Link>
    </form>
  );
}
