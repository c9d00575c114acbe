export const profileMessages = {
  title: 'My Profile', // spec
  account: 'Account',
  edit: 'Edit profile',
  socialLinks: 'Social links',
  opensInNewTab: '(opens in a new tab)',
  moreInfo: 'More info', // spec
  update: 'Update', // spec
  addInfo: 'Add Info', // spec
  loadingInfo: 'Loading your details',
  infoFailed: "We couldn't load your details",
  noInfo:
    'Nothing here yet. Add where you study, where you live, your phone and your social links.',
  notProvided: 'Not provided',
  infoAdded: 'Info added successfully', // spec
  updated: 'Updated Successfully', // spec
  noUser: 'No user is logged in', // spec
} as const;

/** The facts of the info, on the page and in the form. */
export const infoLabels = {
  studyIn: 'Studied at',
  livesIn: 'Lives in',
  phone: 'Phone',
  facebook: 'Facebook',
  linkedin: 'LinkedIn',
  github: 'GitHub',
} as const;

export const infoDialogMessages = {
  addHint: 'All fields are optional.',
  updateHint: 'Empty fields are hidden from your profile.',
  empty: 'Fill in at least one field.',
} as const;

export const dialogMessages = { cancel: 'Cancel', save: 'Save' } as const;

export const accountDialogMessages = {
  title: 'Edit profile',
  name: 'Display name',
  photoUrl: 'Photo URL',
  photoHint:
    'Link to a photo, or leave empty to show your initials. Only you see a linked photo; others see an uploaded one or your initials.',
  preview: 'Preview',
  photoFile: 'Photo file',
  upload: 'Upload a photo',
  remove: 'Remove photo',
} as const;

export const passwordDialogMessages = {
  title: 'Change password',
  current: 'Current password',
  forgotten: "Don't remember it, or never had one?",
  getLink: 'Get a link by email',
  new: 'New password',
  newHint: "At least 6 characters. You'll be signed out on your other devices.",
  action: 'Change password',
} as const;

export const signInMethodMessages = {
  title: 'Ways to log in',
  password: 'Password',
  google: 'Google',
  on: 'On',
  off: 'Off',
  setPassword: 'Set a password',
  link: 'Link Google',
  remove: 'Remove',
  removeTitle: 'Remove Google',
  removeQuestion:
    "You won't be able to log in with Google, and you'll be signed out on your other devices.",
  removed: "Google removed. You've been signed out on your other devices.",
  onlyWay: 'Google is your only way to log in. Set a password before you remove it.',
  loading: 'Loading ways to log in',
  failed: "We couldn't load your ways to log in",
} as const;

/** What came of the way to Google and back, by the word in the address. */
export const linkOutcomes: Readonly<
  Record<string, { tone: 'success' | 'error'; message: string }>
> = {
  linked: { tone: 'success', message: 'Google is linked. You can now log in with it.' },
  failed: { tone: 'error', message: "We couldn't link Google. Please try again." },
  taken: {
    tone: 'error',
    message:
      'This Google account is linked to another account, or your account is linked to another Google account.',
  },
  unconfirmed: { tone: 'error', message: 'Verify your email before you link Google.' },
};

export const securityMessages = {
  title: 'Security',
  changePassword: 'Change password',
  passwordChanged: "Password changed. You've been signed out on your other devices.",
  unknownDevice: 'Unknown device',
  thisDevice: 'This device',
  activeNow: 'Active now',
  lastActive: (moment: string) => `Last active ${moment}`,
  signedIn: (day: string) => `Signed in ${day}`,
  signOut: 'Sign out',
  signOutTitle: 'Sign out this device?',
  signOutQuestion: (device: string) => `You'll need to sign in again on ${device}.`,
  signedOut: (device: string) => `Signed out: ${device}`,
  devices: "Where you're signed in",
  loadingDevices: 'Loading devices',
  devicesFailed: "We couldn't load your devices",
  signOutOthers: 'Sign out everywhere else',
  othersContext: 'on your other devices',
  othersQuestion:
    "You'll need to sign in again on all your other devices. You'll stay signed in here.",
  othersSignedOut: "You've been signed out on your other devices",
} as const;

/** What yup says at the fields. */
export const fieldMessages = {
  atMost: (characters: string) => `At most ${characters} characters`,
  link: 'Enter a link that starts with https://',
  nameRequired: 'Display name is required',
  currentPasswordRequired: 'Current password is required',
} as const;
