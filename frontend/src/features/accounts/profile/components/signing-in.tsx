import { TwoStepCard } from '@/features/accounts/two-step/components/two-step-card';
import { SecurityCard } from './security-card';
import { SignInMethods } from './sign-in-methods';

/** How one signs in, and where one is signed in. */
export default function SigningIn() {
  return (
    <>
      <SignInMethods />
      <TwoStepCard />
      <SecurityCard />
    </>
  );
}
