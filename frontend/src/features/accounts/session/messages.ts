/** Said outside the screens by which one gets in; theirs stand in pages/messages.ts, which arrives with them. */
export const signOutFailed = (reason: string) => `We couldn't sign you out. ${reason}`;
export const signedOutElsewhere = 'You were signed out in another tab.';
