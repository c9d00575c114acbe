import { type FormEvent, useEffect, useRef, useState } from 'react';
import { type CallError, problemOf } from '@/api/problem';
import { EMAIL_INVALID, EMAIL_REQUIRED, isEmail } from '@/lib/email';

/** A form of one address, small enough to do without a form library on every page. `send` answers what went wrong. */
export function useAddressForm(send: (address: string) => Promise<CallError | undefined>) {
  const input = useRef<HTMLInputElement>(null);
  const [email, setEmail] = useState('');
  const [error, setError] = useState('');
  /** The address that was sent last, once the shop has taken it. */
  const [sent, setSent] = useState<string | null>(null);

  // The box may have been typed into before this code had arrived.
  useEffect(() => setEmail((before) => input.current?.value || before), []);

  const refuse = (message: string) => {
    setError(message);
    input.current?.focus();
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setSent(null);
    const address = email.trim();
    if (address === '') return refuse(EMAIL_REQUIRED);
    if (!isEmail(address)) return refuse(EMAIL_INVALID);
    setError('');
    const refused = await send(address);
    if (refused) return refuse(problemOf(refused).message);
    setEmail('');
    setSent(address);
  };

  return { input, email, setEmail, error, sent, submit };
}
