/** Whether passkeys for `host` can be made and used on this page. */
export function passkeysWorkHere(host: string | null): boolean {
  if (host === null || !('PublicKeyCredential' in window)) return false;
  return location.hostname === host || location.hostname.endsWith(`.${host}`);
}

/** The shop's address under the host that passkeys are for. */
export function addressAt(host: string): string {
  return location.port ? `${host}:${location.port}` : host;
}

/** What asks the browser: a library, for those who have a passkey or make one. */
export const loadCeremonies = () => import(/* webpackChunkName: "webauthn" */ './webauthn');
