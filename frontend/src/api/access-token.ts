import { newIdempotencyKey } from '@/lib/idempotency-key';
import { NO_ANSWER, type Problem, readProblem } from './problem';

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

/** What the token says of itself (RFC 7519); nothing if it cannot be read. */
export function claimsOf(token: string): { exp?: unknown; email?: unknown } {
  try {
    const payload = token.split('.')[1] ?? '';
    return JSON.parse(atob(payload.replace(/-/g, '+').replace(/_/g, '/')));
  } catch {
    return {};
  }
}

/** When the token runs out, in milliseconds since 1970; null if it does not say. */
export function expiryOf(token: string): number | null {
  const { exp } = claimsOf(token);
  return typeof exp === 'number' ? exp * 1000 : null;
}

export type Renewal =
  | { kind: 'renewed'; token: string }
  /** The server says that there is no such session: 401 or 403. */
  | { kind: 'refused'; problem: Problem }
  /** No usable answer: nothing is known about the session. */
  | { kind: 'unreachable'; problem: Problem };

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
    return { kind: 'unreachable', problem: NO_ANSWER };
  }
  const data: unknown = await response.json().catch(() => undefined);
  const problem = readProblem({ status: response.status, data });
  if (response.status === 401 || response.status === 403) {
    return { kind: 'refused', problem };
  }
  const token = (data as { token?: unknown } | undefined)?.token;
  if (!response.ok || typeof token !== 'string') {
    return { kind: 'unreachable', problem };
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
