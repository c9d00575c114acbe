export const cardMessages = {
  title: 'Two-step verification',
  on: 'On',
  off: 'Off',
  about:
    "After your password or Google, confirm it's you with a passkey or a code. Someone who learns your password still can't get in.",
  confirmEmail: 'Confirm your email first. Then you can turn this on.',
  loading: 'Loading two-step verification',
  failed: "We couldn't load two-step verification",
  app: 'Authenticator app',
  appAdded: (day: string) => `Added ${day}`,
  setUpApp: 'Set up an app',
  replaceApp: 'Replace',
  passkeys: 'Passkeys',
  addPasskey: 'Add a passkey',
  added: (day: string) => `Added ${day}`,
  lastUsed: (time: string) => `last used ${time}`,
  neverUsed: 'not used yet',
  elsewhere: (host: string) =>
    `Passkeys for this store only work at ${host}. Open this page there to add one.`,
  remove: 'Remove',
  removeApp: 'Remove authenticator app',
  removePasskey: 'Remove passkey',
  removeQuestion: "You won't be able to confirm it's you with it.",
  removed: (name: string) => `${name} removed`,
  recovery: (left: number) => (left === 1 ? '1 recovery code left' : `${left} recovery codes left`),
  recoveryAbout: 'Each one gets you in once if you lose your other ways.',
  renew: 'Make new codes',
  renewTitle: 'Make new recovery codes',
  renewQuestion: 'Your old codes will stop working.',
} as const;

export const setupMessages = {
  appTitle: 'Set up an authenticator app',
  preparing: 'Preparing a code',
  scan: 'Scan this with your app, such as Google Authenticator, 1Password or Aegis.',
  qr: 'QR code for your authenticator app',
  byHand: 'Or type this key into the app:',
  openApp: 'Open it in an app on this device',
  code: 'Code from the app',
  codeHint: '6 digits',
  turnOn: 'Confirm code',
  passkeyTitle: 'Add a passkey',
  passkeyAbout: 'Your device will ask for your fingerprint, face or PIN.',
  passkeyName: 'Name',
  passkeyNameHint: 'So you can tell it from others: the device it is on, for example.',
  passkeyDefault: 'This device',
  makePasskey: 'Create passkey',
  notMade: "The passkey wasn't created. Try again.",
  alreadyHere: 'This device already has a passkey for your account.',
  nameRequired: 'Name is required',
  nameLong: 'At most 60 characters',
  codeRequired: 'Code is required',
  cancel: 'Cancel',
  logInAgain: 'Log in again',
} as const;

export const codesMessages = {
  title: 'Save your recovery codes',
  about:
    'Each code gets you in once if you lose your passkey or app. We show them only now. Keep them somewhere safe.',
  list: 'Recovery codes',
  copy: 'Copy codes',
  copied: 'Recovery codes copied',
  download: 'Download codes',
  file: 'driveline-recovery-codes.txt',
  done: "I've saved them",
} as const;

export const proofMessages = {
  title: "Confirm it's you",
  again: 'This can do lasting harm in the wrong hands, so we ask for your second step first.',
  loading: 'Checking your second step',
  failed: "We couldn't check your second step",
  passkey: 'Use a passkey',
  passkeyFailed: "The passkey wasn't used. Try again, or use a code.",
  or: 'or',
  code: 'Code',
  codeHint: '6 digits from your authenticator app, or one of your recovery codes',
  recoveryHint: 'One of your recovery codes',
  confirm: 'Confirm',
  cancel: 'Cancel',
  elsewhere: (host: string) => `Your passkey works at ${host}.`,
} as const;

export const secondStepMessages = {
  prove: "Confirm it's you to finish logging in.",
  missing:
    'Admins need two-step verification. Turn it on now: a passkey or an authenticator app, whichever you like.',
  otherAccount: 'Use another account',
  choose: "How would you like to confirm it's you?",
  back: 'Choose another way',
} as const;
