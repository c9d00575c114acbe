/** What the page's frame says. */
export const brandLink = 'Driveline, home';
export const home = 'Home'; // spec
export const dashboard = 'Dashboard'; // spec
export const signOut = 'Sign Out'; // spec
export const skip = 'Skip to content';
export const mainMenu = 'Main';
export const openMenu = 'Open menu';
export const openDashboardMenu = 'Open dashboard menu';
export const find = 'Find a part';
export const loading = 'Loading';
export const toLight = 'Switch to light theme';
export const toDark = 'Switch to dark theme';
export const profileOf = (name: string) => `My Profile: ${name}`;

/** What is said in place of a screen that may not be shown, or cannot be. */
export const signIn = 'Signing you in';
export const checkingSignIn = 'Checking your sign-in';
export const signInFailed = "We couldn't check whether you're signed in";
export const broken = 'Something went wrong loading this page';
export const brokenHelp = 'Reload to try again; your orders are safe.';
export const retryPage = 'Retry';
