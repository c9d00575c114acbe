const HINT = 'signed-in';

/** The readable cookie that goes with a session. Without it nobody is signed in, and the server need not be asked. */
export function hasHint(): boolean {
  return document.cookie.split('; ').some((cookie) => cookie === `${HINT}=1`);
}

/** As boot.ts does it for whoever was signed in before the page came. */
export function showHint(): void {
  document.documentElement.dataset.hint = '';
}

/** A hint that the server denied would make every page ask again. */
export function dropHint(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is missing in two of the three large browsers.
  document.cookie = `${HINT}=; Max-Age=0; Path=/; SameSite=Lax`;
  delete document.documentElement.dataset.hint;
}
