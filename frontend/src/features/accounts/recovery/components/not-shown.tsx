import { type ComponentType, useState } from 'react';
import { object, string } from 'yup';
import { problemOf } from '@/api/problem';
import { AuthForm } from '@/features/accounts/session/components/auth-form';
import { useForgetSession } from '@/features/accounts/session/use-session';
import { paths } from '@/lib/paths';
import { Alert } from '@/ui/alert';
import { Button, ButtonLink } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { TextField } from '@/ui/form';
import {
  useConfirmAddressMutation,
  useDeleteAccountMutation,
  useTakeAccountOverMutation,
} from '../api';
import { resetSchema } from '../schema';
import { Answer } from './answer';

const typedSchema = object({ password: string().required('Password is required') });

type Way = 'password' | 'take-over' | null;

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
  const [confirm] = useConfirmAddressMutation();
  const [takeOver] = useTakeAccountOverMutation();
  const [remove] = useDeleteAccountMutation();
  const forgetSession = useForgetSession();
  const [way, setWay] = useState<Way>(null);
  const [end, setEnd] = useState<{ kind: 'confirmed' | 'taken'; email: string } | 'deleted'>();

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
        <AuthForm
          key="password"
          initial={{ password: '' }}
          schema={typedSchema}
          action="Confirm my address"
          waiting="Confirming your address"
          notice={null}
          onSubmit={async ({ password }, key) => {
            const answer = await confirm({
              ownAddressProof: { token, password },
              'Idempotency-Key': key,
            });
            if (answer.error) return { ok: false, problem: problemOf(answer.error) };
            setEnd({ kind: 'confirmed', email: answer.data.email });
            return { ok: true };
          }}
        >
          <TextField
            name="password"
            label="Password of the account"
            type="password"
            autoComplete="current-password"
          />
        </AuthForm>
      ) : (
        <Button className="w-full" onClick={() => setWay('password')}>
          It was me
        </Button>
      )}
      {way === 'take-over' ? (
        <AuthForm
          key="take-over"
          initial={{ password: '' }}
          schema={resetSchema}
          action="Take the account over"
          waiting="Taking the account over"
          notice={null}
          onSubmit={async ({ password }, key) => {
            const answer = await takeOver({
              newPassword: { token, password },
              'Idempotency-Key': key,
            });
            if (answer.error) return { ok: false, problem: problemOf(answer.error) };
            setEnd({ kind: 'taken', email: answer.data.email });
            forgetSession();
            return { ok: true };
          }}
        >
          <TextField
            name="password"
            label="New password"
            type="password"
            autoComplete="new-password"
            hint="At least 6 characters. Unpaid orders are cancelled and the profile is emptied."
          />
        </AuthForm>
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
