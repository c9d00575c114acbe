import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { problemOf } from '@/api/problem';
import { EMAIL_INVALID, EMAIL_REQUIRED, isEmail } from '@/lib/email';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Button } from '@/ui/button';
import { useSubscribeToNewsletterMutation } from './api';
import { newsletterMessages as messages } from './messages';

/** The footer's newsletter box. Small enough to do without a form library on every page. */
export function NewsletterBox() {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const keys = useIdempotencyKeys();
  const [subscribe, { isLoading }] = useSubscribeToNewsletterMutation();
  const [email, setEmail] = useState('');
  const [error, setError] = useState('');
  const [done, setDone] = useState(false);

  // The box may have been typed into before this code had arrived.
  useEffect(() => setEmail((before) => input.current?.value || before), []);

  const refuse = (message: string) => {
    setError(message);
    input.current?.focus();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setDone(false);
    const address = email.trim();
    if (address === '') return refuse(EMAIL_REQUIRED);
    if (!isEmail(address)) return refuse(EMAIL_INVALID);
    setError('');
    const answer = await subscribe({
      subscription: { email: address },
      'Idempotency-Key': keys.keyFor(address),
    });
    if (answer.error) return refuse(problemOf(answer.error).message);
    keys.finish();
    setEmail('');
    setDone(true);
  };

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
        {done && <span className="font-semibold text-success">{messages.thanks}</span>}
      </p>
    </form>
  );
}
