import { newIdempotencyKey } from '@/lib/idempotency-key';

/** The name under which the token stands in the browser (spec, section 3). */
export const TOKEN_KEY = 'accessToken';

export function readToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY);
  } catch {
    return memory;
  }
}

/** Holds the token for this page only, where the browser refuses storage. */
let memory: string | null = null;

export function storeToken(token: string): void {
  memory = token;
  try {
    localStorage.setItem(TOKEN_KEY, token);
  } catch {
    // `memory` serves this page.
  }
}

export function clearToken(): void {
  memory = null;
  try {
    localStorage.removeItem(TOKEN_KEY);
  } catch {
    // Nothing was stored.
  }
}

/** When the token runs out, in milliseconds since 1970; null if it does not say (RFC 7519, `exp`). */
export function expiryOf(token: string): number | null {
  try {
    const payload = token.split('.')[1] ?? '';
    const claims: unknown = JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')));
    const exp = (claims as { exp?: unknown }).exp;
    return typeof exp === 'number' ? exp * 1000 : null;
  } catch {
    return null;
  }
}

export type Renewal =
  | { kind: 'renewed'; token: string }
  /** The server says that there is no such session: 401 or 403. */
  | { kind: 'refused'; status: number; data: unknown }
  /** No usable answer: nothing is known about the session. */
  | { kind: 'unreachable'; status: number; data: unknown };

const inFlight = new Map<string, Promise<Renewal>>();

async function ask(email: string): Promise<Renewal> {
  let response: Response;
  try {
    response = await fetch(`${location.origin}/user/${encodeURIComponent(email)}`, {
      method: 'PUT',
      credentials: 'same-origin',
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': newIdempotencyKey() },
      body: JSON.stringify({ email }),
      signal: AbortSignal.timeout(15_000),
    });
  } catch {
    return { kind: 'unreachable', status: 0, data: undefined };
  }
  const data: unknown = await response.json().catch(() => undefined);
  if (response.status === 401 || response.status === 403) {
    return { kind: 'refused', status: response.status, data };
  }
  const token = (data as { token?: unknown } | undefined)?.token;
  if (!response.ok || typeof token !== 'string') {
    return { kind: 'unreachable', status: response.status, data };
  }
  storeToken(token);
  return { kind: 'renewed', token };
}

/** Asks for an access token and stores it. However many ask at once, the server is asked once. */
export function renewToken(email: string): Promise<Renewal> {
  const running = inFlight.get(email);
  if (running) return running;
  const started = ask(email).finally(() => inFlight.delete(email));
  inFlight.set(email, started);
  return started;
}
