export const forgotMessages = {
  title: 'Forgot your password?',
  intro: "Enter your email and we'll send you a link to reset your password.",
  action: 'Send reset link',
  waiting: 'Sending the link',
  email: 'Email',
  remembered: 'Remembered it?',
  logIn: 'Log in',
  beforeEmail: "If there's an account for ",
  afterEmail: ", we've sent an email with a reset link. It expires in one hour.",
  backToLogin: 'Back to Login',
  otherEmail: 'Try another email',
} as const;

export const resetMessages = {
  title: 'New password',
  field: 'New password',
  hint: 'At least 6 characters',
  action: 'Save new password',
  waiting: 'Saving your password',
  newLink: 'Send a new link',
  beforeEmail: 'Password changed for ',
  afterEmail: ". You've been signed out on all devices.",
  logIn: 'Login',
} as const;

export const verifyMessages = {
  title: 'Confirm your email',
  intro: 'Confirm that this email address is yours.',
  action: 'Confirm email',
  newEmail: 'Send a new email',
  beforeEmail: 'Thank you! ',
  afterEmail: ' is confirmed.',
  home: 'Home',
} as const;

/** For somebody who opened the link without being signed in to the account. */
export const notSignedInMessages = {
  intro:
    "Someone signed up with your email. If it was you, log in or enter the password you chose. If it wasn't, take over the account or delete it.",
  itWasMe: 'It was me',
  password: 'Account password',
  passwordRequired: 'Password is required',
  confirm: 'Confirm email',
  confirming: 'Confirming your email',
  takeOver: 'Take over the account',
  takingOver: 'Taking over the account',
  newPassword: 'New password',
  newPasswordHint:
    'At least 6 characters. Unpaid orders will be canceled and the profile will be cleared.',
  afterEmail: ' is yours now. Anyone who was signed in before has been signed out.',
  logIn: 'Login',
  deleteAccount: 'Delete the account',
  withYourEmail: 'with your email',
  deleteQuestion:
    'Delete the account that was opened with your email? Its unpaid orders will be canceled.',
  deleted: 'Account deleted. You can use your email to sign up again.',
  home: 'Home',
} as const;

/** For a sign-in with Google that is finished by e-mail. */
export const finishGoogleMessages = {
  title: 'Was this you?',
  intro:
    "Someone continued with a Google account that uses your email. If it was you, sign in below. If it wasn't, close this page; nobody has been signed in.",
  action: 'Yes, sign me in',
  logIn: 'Login',
} as const;

/** Under the e-mail on the profile. */
export const verificationMessages = {
  checkFailed: "We couldn't check your email status.",
  retry: 'Try again',
  unverified: "Your email isn't verified yet.",
  sent: 'Verification email sent.',
  resend: 'Resend email',
} as const;

/** For a link that lost its end on the way. */
export const CUT_LINK =
  'This link is incomplete. Open it from the email again, or copy the whole link.';
