/** On every screen by which one gets in. */
export const authMessages = {
  claim: ['Buy in bulk.', 'Pay by the piece.'],
  checkingSignIn: 'Checking your sign-in',
  or: 'or',
  google: 'Continue with Google', // spec
  name: 'Name', // spec
  email: 'Email', // spec
  password: 'Password', // spec
  passwordHint: 'At least 6 characters',
} as const;

export const loginMessages = {
  title: 'Login', // spec
  action: 'Login', // spec
  waiting: 'Logging in',
  onward: "Log in to continue. We'll take you right back.",
  toOrder: (part: string) => `Log in to order ${part}`,
  isNew: 'New to Driveline?',
  signUp: 'Create New Account', // spec
  forgot: 'Forgot your password?',
  welcome: 'Welcome',
  oneMoreStep: 'One more step',
  permissionsFailed: "We couldn't check your permissions",
  checkingPermissions: 'Checking your permissions',
} as const;

export const signupMessages = {
  title: 'Sign Up', // spec
  action: 'SIGNUP', // spec
  waiting: 'Creating your account',
  onward: 'Sign up to continue.',
  toOrder: (part: string) => `Sign up to order ${part}`,
  isOld: 'Already have an account?',
  logIn: 'Please Login', // spec
  agree: 'By creating an account, you agree to our',
  terms: 'terms of sale',
  seeAlso: 'See what we do with your data under',
  privacy: 'privacy',
} as const;

/** Why the way back from Google ended on Login, by the word that the server puts into the address. */
export const googleRefusals: Readonly<Record<string, string>> = {
  google_cancelled: 'Google sign-in was canceled.',
  google_unverified:
    "This Google email isn't verified, so we can't sign you in with it yet. Open the link we emailed to that address, in this browser.",
  google_sign_in_first:
    "Google isn't linked to this account yet. Log in with your password, then link Google in your profile.",
  google_failed: "We couldn't sign you in with Google. Please try again.",
  removed: "This account has been closed. Contact us if you think that's a mistake.",
};

export const noEntryMessages = {
  beforeEmail: "That page is for admins. You're signed in as ",
  afterEmail: ", which isn't an admin account.",
  home: 'Home',
  otherAccount: 'Use another account',
} as const;

export const passwordGoneMessages = {
  signedIn:
    "You're signed in with Google. Someone had signed up with your email before, but never confirmed it.",
  gone: 'The old password no longer works.',
  beforeLink: 'To set a new one, use',
  link: 'Forgot your password',
  onward: 'Continue',
} as const;

/** What yup says at the fields. */
export const fieldMessages = {
  nameRequired: 'Name is required', // spec
  passwordRequired: 'Password is required', // spec
  passwordTooShort: 'Must be at least 6 characters', // spec
  atMost: (characters: number) => `Must be at most ${characters} characters`,
} as const;
