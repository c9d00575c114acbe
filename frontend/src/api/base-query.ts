import {
  type BaseQueryApi,
  type BaseQueryFn,
  type FetchArgs,
  type FetchBaseQueryMeta,
  fetchBaseQuery,
  type QueryReturnValue,
} from '@reduxjs/toolkit/query';
import { newIdempotencyKey } from '@/lib/idempotency-key';
import { clearToken, readToken, renewToken } from './access-token';
import { takeFirstAnswer } from './first-answers';
import { NO_ANSWER, type Problem, readProblem } from './problem';
import { askForProof } from './second-factor';
import { type SessionHolder, sessionLost } from './session-state';

export interface ShopArgs extends Omit<FetchArgs, 'headers'> {
  headers?: Record<string, string | undefined>;
}

/** What an endpoint may say of itself beyond the call (`extraOptions`). */
export interface ShopOptions {
  /** Leaves it to the screen to end the session when the token is refused, as My Orders does by its own rule. */
  keepSession?: boolean;
}

const TIMEOUT = 15_000;
/** The longest that a read takes with all its tries: nobody looks at grey bars for longer. */
const READ_BUDGET = 20_000;
/** Waits before the second and third try of a read, in milliseconds. */
const BACK_OFF = [300, 1_200];
/** The longest that a `Retry-After` is obeyed before the screen's own Retry takes over. */
const LONGEST_WAIT = 5_000;

const pause = (milliseconds: number) => new Promise((done) => setTimeout(done, milliseconds));

// From the page's own origin, since a relative address means nothing to fetch outside a browser.
const raw = fetchBaseQuery({
  baseUrl: typeof location === 'undefined' ? '' : location.origin,
  credentials: 'same-origin',
  timeout: TIMEOUT,
  prepareHeaders: (headers) => {
    headers.set('Accept', 'application/json, application/problem+json');
    const token = readToken();
    if (token) headers.set('Authorization', `Bearer ${token}`);
    return headers;
  },
});

type Answer = Awaited<ReturnType<typeof raw>>;

function worthAnotherTry(answer: Answer): boolean {
  const status = answer.error?.status;
  return status === 'FETCH_ERROR' || status === 'TIMEOUT_ERROR' || status === 503;
}

function waitBefore(attempt: number, answer: Answer): number {
  const requested = Number(answer.meta?.response?.headers.get('Retry-After')) * 1000;
  const own = BACK_OFF[attempt] ?? 0;
  return Number.isFinite(requested) && requested > own ? Math.min(requested, LONGEST_WAIT) : own;
}

async function readWithRetries(args: FetchArgs, api: BaseQueryApi): Promise<Answer> {
  const longest = args.timeout ?? TIMEOUT;
  const end = Date.now() + Math.max(longest, READ_BUDGET);
  const once = () => raw({ ...args, timeout: Math.min(longest, end - Date.now()) }, api, {});
  let answer = await once();
  for (let attempt = 0; attempt < BACK_OFF.length && worthAnotherTry(answer); attempt += 1) {
    const wait = waitBefore(attempt, answer);
    if (Date.now() + wait >= end) return answer;
    await pause(wait);
    if (api.signal.aborted) return answer;
    answer = await once();
  }
  return answer;
}

/** The answer with its failure as a problem. */
function typed({
  data,
  error,
  meta,
}: Answer): QueryReturnValue<unknown, Problem, FetchBaseQueryMeta> {
  const rest = meta ? { meta } : {};
  return error ? { error: readProblem(error), ...rest } : { data, ...rest };
}

/**
 * Talks to the shop. Reads are tried again while the shop or the network is away; writes never are, but carry an
 * `Idempotency-Key`, so that a screen may: the caller's, or a new one where the caller gives none. A token that
 * has run out is renewed once, and the call repeated with it; so it is once a second step was proved that the shop asked for. What the page itself brought is not asked for.
 */
export const baseQuery: BaseQueryFn<
  string | ShopArgs,
  unknown,
  Problem,
  ShopOptions,
  FetchBaseQueryMeta
> = async (input, api, options) => {
  const { headers, ...call }: ShopArgs = typeof input === 'string' ? { url: input } : input;
  const reads = (call.method ?? 'GET').toUpperCase() === 'GET';
  const key = reads
    ? {}
    : { 'Idempotency-Key': headers?.['Idempotency-Key'] ?? newIdempotencyKey() };
  const args: FetchArgs = { ...call, headers: { ...headers, ...key } };
  const brought = reads && takeFirstAnswer(args);
  if (brought) {
    const request = new Request(new URL(brought.url, location.origin));
    return { data: brought.body, meta: { request, response: new Response(null, brought) } };
  }
  const send = async () => typed(await (reads ? readWithRetries(args, api) : raw(args, api, {})));

  const answer = await send();
  const { status, slug } = answer.error ?? {};
  if (slug === 'second-factor-again' && (await askForProof())) return send();
  if (status !== 401) return answer;
  const { session } = api.getState() as SessionHolder;
  if (session.phase !== 'in') return answer;

  const renewed = await renewToken(session.user.email);
  if (renewed.kind === 'renewed') return send();
  if (renewed.kind === 'refused') {
    if (options?.keepSession) return answer;
    clearToken();
    api.dispatch(sessionLost());
    return answer;
  }
  return {
    error: NO_ANSWER,
    ...(answer.meta ? { meta: answer.meta } : {}),
  };
};
