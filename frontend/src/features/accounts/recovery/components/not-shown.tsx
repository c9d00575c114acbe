import { type ComponentType, useState } from 'react';
import { object, string } from 'yup';
import { problemOf } from '@/api/problem';
import { AuthForm } from '@/features/accounts/session/components/auth-form';
import type { Outcome } from '@/features/accounts/session/thunks';
import { useForgetSession } from '@/features/accounts/session/use-session';
import { paths } from '@/lib/paths';
import { Alert } from '@/ui/alert';
import { Button, ButtonLink } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { PasswordField } from '@/ui/password-field';
import {
  useConfirmAddressMutation,
  useDeleteUnprovedAccountMutation,
  useTakeAccountOverMutation,
} from '../api';
import { notSignedInMessages as messages } from '../messages';
import { resetSchema } from '../schema';
import { Answer } from './answer';

const typedSchema = object({ password: string().required(messages.passwordRequired) });

type Way = 'password' | 'take-over' | null;

type End = { kind: 'confirmed' | 'taken'; email: string };

interface WayProps {
  token: string;
  onDone: (email: string) => void;
}

/** Confirms the address by the account's password. */
function ByPassword({ token, onDone }: WayProps) {
  const [confirm] = useConfirmAddressMutation();
  const submit = async ({ password }: { password: string }, key: string): Promise<Outcome> => {
    const { data, error } = await confirm({
      ownAddressProof: { token, password },
      'Idempotency-Key': key,
    });
    if (!data) return { ok: false, problem: problemOf(error) };
    onDone(data.email);
    return { ok: true };
  };
  return (
    <AuthForm
      initial={{ password: '' }}
      schema={typedSchema}
      action={messages.confirm}
      waiting={messages.confirming}
      notice={null}
      onSubmit={submit}
    >
      <PasswordField name="password" label={messages.password} autoComplete="current-password" />
    </AuthForm>
  );
}

/** Gives the account a new password, which makes it the reader's own. */
function TakeOver({ token, onDone }: WayProps) {
  const [takeOver] = useTakeAccountOverMutation();
  const forgetSession = useForgetSession();
  const submit = async ({ password }: { password: string }, key: string): Promise<Outcome> => {
    const { data, error } = await takeOver({
      newPassword: { token, password },
      'Idempotency-Key': key,
    });
    if (!data) return { ok: false, problem: problemOf(error) };
    onDone(data.email);
    forgetSession();
    return { ok: true };
  };
  return (
    <AuthForm
      initial={{ password: '' }}
      schema={resetSchema}
      action={messages.takeOver}
      waiting={messages.takingOver}
      notice={null}
      onSubmit={submit}
    >
      <PasswordField
        name="password"
        label={messages.newPassword}
        autoComplete="new-password"
        hint={messages.newPasswordHint}
      />
    </AuthForm>
  );
}

/**
 * For whoever opened a confirmation's link without being signed in to the account: the click alone must not confirm it, for
 * somebody else may have signed up with the address. They type the account's password, take it over, or delete it.
 */
export default function NotShown({
  token,
  onConfirmed: Confirmed,
}: {
  token: string;
  onConfirmed: ComponentType<{ email: string }>;
}) {
  const [remove] = useDeleteUnprovedAccountMutation();
  const [way, setWay] = useState<Way>(null);
  const [end, setEnd] = useState<End | 'deleted'>();

  if (end === 'deleted') {
    return (
      <Answer tone="success" message={messages.deleted}>
        <ButtonLink to={paths.home}>{messages.home}</ButtonLink>
      </Answer>
    );
  }
  if (end?.kind === 'confirmed') return <Confirmed email={end.email} />;
  if (end) {
    return (
      <Answer
        tone="success"
        message={
          <>
            <strong className="wrap-anywhere">{end.email}</strong>
            {messages.afterEmail}
          </>
        }
      >
        <ButtonLink to={paths.login}>{messages.logIn}</ButtonLink>
      </Answer>
    );
  }
  return (
    <div className="grid gap-6">
      <Alert tone="info">{messages.intro}</Alert>
      {way === 'password' ? (
        <ByPassword token={token} onDone={(email) => setEnd({ kind: 'confirmed', email })} />
      ) : (
        <Button className="w-full" onClick={() => setWay('password')}>
          {messages.itWasMe}
        </Button>
      )}
      {way === 'take-over' ? (
        <TakeOver token={token} onDone={(email) => setEnd({ kind: 'taken', email })} />
      ) : (
        <Button variant="outline" className="w-full" onClick={() => setWay('take-over')}>
          {messages.takeOver}
        </Button>
      )}
      <ConfirmedButton
        label={messages.deleteAccount}
        context={messages.withYourEmail}
        question={messages.deleteQuestion}
        danger
        onConfirm={() => remove({ addressProof: { token } })}
        onDone={() => setEnd('deleted')}
      />
    </div>
  );
}
