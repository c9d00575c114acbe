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
import { TextField } from '@/ui/form';
import {
  useConfirmAddressMutation,
  useDeleteUnprovedAccountMutation,
  useTakeAccountOverMutation,
} from '../api';
import { resetSchema } from '../schema';
import { Answer } from './answer';

const typedSchema = object({ password: string().required('Password is required') });

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
      action="Confirm my address"
      waiting="Confirming your address"
      notice={null}
      onSubmit={submit}
    >
      <TextField
        name="password"
        label="Password of the account"
        type="password"
        autoComplete="current-password"
      />
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
      action="Take the account over"
      waiting="Taking the account over"
      notice={null}
      onSubmit={submit}
    >
      <TextField
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 6 characters. Unpaid orders are cancelled and the profile is emptied."
      />
    </AuthForm>
  );
}

/**
 * For whoever opened a confirmation's link without being signed in to the account: the click alone must not confirm it, for
 * somebody else may have signed up with the address. They type the account's password, take it over, or delete it.
 */
export function NotShown({
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
      <Answer tone="success" message="The account is deleted, and your address is free again.">
        <ButtonLink to={paths.home}>Home</ButtonLink>
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
            <strong className="wrap-anywhere">{end.email}</strong> is yours now. Whoever was signed
            in before no longer is.
          </>
        }
      >
        <ButtonLink to={paths.login}>Login</ButtonLink>
      </Answer>
    );
  }
  return (
    <div className="grid gap-6">
      <Alert tone="info">
        Somebody signed up with your address. Was it you? Then log in or type the password that you
        chose. If it was not you, take the account over or delete it.
      </Alert>
      {way === 'password' ? (
        <ByPassword token={token} onDone={(email) => setEnd({ kind: 'confirmed', email })} />
      ) : (
        <Button className="w-full" onClick={() => setWay('password')}>
          It was me
        </Button>
      )}
      {way === 'take-over' ? (
        <TakeOver token={token} onDone={(email) => setEnd({ kind: 'taken', email })} />
      ) : (
        <Button variant="outline" className="w-full" onClick={() => setWay('take-over')}>
          Take the account over
        </Button>
      )}
      <ConfirmedButton
        label="Delete the account"
        context="with your address"
        question="The account that somebody opened with your address is deleted, and its unpaid orders are cancelled."
        danger
        onConfirm={() => remove({ addressProof: { token } })}
        onDone={() => setEnd('deleted')}
      />
    </div>
  );
}
