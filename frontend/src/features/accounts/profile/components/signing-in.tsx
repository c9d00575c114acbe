import { SecurityCard } from './security-card';
import { SignInMethods } from './sign-in-methods';

/** How one signs in, and where one is signed in. */
export default function SigningIn() {
  return (
    <>
      <SignInMethods />
      <SecurityCard />
    </>
  );
}
