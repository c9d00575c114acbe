import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser';
import type { PasskeyOptions } from '@/api/types';

/** Whether the browser refused because this device has a passkey of the account. */
export function isMadeBefore(error: unknown): boolean {
  return (
    error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED'
  );
}

type Credential = Record<string, unknown>;

/** Asks the browser for a new passkey. Rejects if the user does not want to, or the browser cannot. */
export async function makePasskey({ publicKey }: PasskeyOptions): Promise<Credential> {
  const optionsJSON = publicKey as unknown as PublicKeyCredentialCreationOptionsJSON;
  return { ...(await startRegistration({ optionsJSON })) };
}

/** Asks the browser for a signature by one of the account's passkeys. Rejects likewise. */
export async function signWithPasskey({ publicKey }: PasskeyOptions): Promise<Credential> {
  const optionsJSON = publicKey as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await startAuthentication({ optionsJSON })) };
}
