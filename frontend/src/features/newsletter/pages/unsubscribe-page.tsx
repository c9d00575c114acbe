import { usePageTitle } from '@/lib/use-page-title';
import { Button } from '@/ui/button';
import { Field } from '@/ui/field';
import { useUnsubscribeFromNewsletterMutation } from '../api';
import { useAddressForm } from '../use-address-form';
import { unsubscribeMessages as messages } from './messages';

/** Takes an address off the newsletter. It asks for no login: readers need no account. */
export default function UnsubscribePage() {
  usePageTitle(messages.heading);
  const [unsubscribe, { isLoading }] = useUnsubscribeFromNewsletterMutation();
  const { input, email, setEmail, error, sent, submit } = useAddressForm(
    async (address) => (await unsubscribe({ email: address })).error,
  );
  return (
    <div className="shell py-16 lg:py-20">
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{messages.heading}</h1>
      <p className="mb-8 max-w-prose text-lg">{messages.intro}</p>
      <form noValidate onSubmit={submit} className="grid max-w-md gap-5">
        <Field label={messages.email} error={error || undefined}>
          {(fieldProps) => (
            <input
              {...fieldProps}
              ref={input}
              type="email"
              autoComplete="email"
              className="input"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" busy={isLoading}>
          {messages.unsubscribe}
        </Button>
        <p role="status" className="min-h-6 font-semibold text-success">
          {sent !== null && messages.done(sent)}
        </p>
      </form>
    </div>
  );
}
