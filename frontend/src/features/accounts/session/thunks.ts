import type { ThunkAction, UnknownAction } from '@reduxjs/toolkit';
import {
  claimsOf,
  clearToken,
  expiryOf,
  readToken,
  renewToken,
  TOKEN_KEY,
} from '@/api/access-token';
import { api } from '@/api/api';
import { type Problem, problemOf } from '@/api/problem';
import type { SessionHolder } from '@/api/session-state';
import type { Credentials, NewPerson, Person } from '@/api/types';
import { removeDrafts } from '@/lib/tab-storage';
import { notify } from '@/ui/notify';
import { sessionEndpoints } from './api';
import { dropHint, hasHint, showHint } from './hint';
import { signedOutElsewhere } from './messages';
import {
  selectSession,
  selectUser,
  sessionClosed,
  sessionFailed,
  sessionOpened,
  sessionRequested,
} from './slice';

type Thunk<T> = ThunkAction<Promise<T>, SessionHolder, unknown, UnknownAction>;

/** How a sign-in or sign-up ended. */
export type Outcome = { ok: true } | { ok: false; problem: Problem };

/**
 * The session only counts as open once the access token is there: screens redirect on that. Where a second step is missing it
 * is half open, which is no failure.
 */
function openWithToken(account: Person): Thunk<Outcome> {
  return async (dispatch) => {
    const renewal = await renewToken(account.email);
    if (renewal.kind === 'renewed') {
      showHint();
      dispatch(sessionOpened(account));
      return { ok: true };
    }
    // The account has, or has to have, a second step that this session has not taken.
    if (renewal.problem.slug.startsWith('second')) {
      dispatch(sessionClosed(true));
      return { ok: true };
    }
    return { ok: false, problem: renewal.problem };
  };
}

/** Finds out who this is. A visitor without the hint is out without a call. */
export function startSession(): Thunk<void> {
  return async (dispatch) => {
    if (!hasHint()) {
      clearToken();
      dispatch(sessionClosed());
      return;
    }
    dispatch(sessionRequested());
    // With a subscriber: when the line comes back, answers that nobody waits for are dropped on their way.
    const requested = dispatch(sessionEndpoints.getMe.initiate(undefined, { forceRefetch: true }));
    const { data, error } = await requested;
    requested.unsubscribe();
    if (error || !data) {
      const problem = problemOf(error);
      if (problem.status === 401) {
        dropHint();
        clearToken();
        dispatch(sessionClosed());
      } else {
        dispatch(sessionFailed(problem));
      }
      return;
    }
    const opened = await dispatch(openWithToken(data));
    if (opened.ok) return;
    if (opened.problem.status === 401 || opened.problem.status === 403) {
      dropHint();
      clearToken();
      dispatch(sessionClosed());
    } else {
      dispatch(sessionFailed(opened.problem));
    }
  };
}

/** No key: a repeated log-in simply signs in again. */
export function logIn({ email, password }: Credentials): Thunk<Outcome> {
  return async (dispatch) => {
    const { data, error } = await dispatch(sessionEndpoints.logIn.initiate({ email, password }));
    if (!data) return { ok: false, problem: problemOf(error) };
    return dispatch(openWithToken(data));
  };
}

export function signUp({ key, ...newPerson }: NewPerson & { key: string }): Thunk<Outcome> {
  return async (dispatch) => {
    const { data, error } = await dispatch(
      sessionEndpoints.signUp.initiate({ newPerson, 'Idempotency-Key': key }),
    );
    if (!data) return { ok: false, problem: problemOf(error) };
    return dispatch(openWithToken(data));
  };
}

/** Stops the calls that are under way and drops all answers: they are about whoever was signed in until now. */
const dropAnswers = api.util.resetApiState;

/** Forgets everything that belonged to the account. Clearing the stored token notifies the other tabs. */
export function forgetSession(): Thunk<void> {
  return async (dispatch) => {
    clearToken();
    dropHint();
    dispatch(sessionClosed());
    dispatch(dropAnswers());
  };
}

/** Ends the session on the server. If the server cannot be reached, the account stays signed in and the reason is shown. */
export function signOut(): Thunk<Outcome> {
  return async (dispatch) => {
    const { error } = await dispatch(sessionEndpoints.logOut.initiate());
    const problem = error ? problemOf(error) : null;
    if (problem && problem.status !== 401) return { ok: false, problem };
    removeDrafts();
    await dispatch(forgetSession());
    return { ok: true };
  };
}

/** How long before its end a token is asked for again, in milliseconds. */
const MARGIN = 60_000;
/** For a token that does not say when it ends: a little under the 15 minutes that the server gives. */
const USUAL_LIFE = 14 * 60_000;
/** A clock that runs ahead must not make a page ask without a pause. */
const SHORTEST_WAIT = 10_000;
const AFTER_NO_ANSWER = 30_000;

/**
 * Keeps the session true for as long as the page lives: renews the token before it runs out, notices when another tab
 * signs out or in, and lets nothing of an account outlive its session. Answers the function that stops it.
 */
export function watchSession(
  dispatch: (what: Thunk<void> | UnknownAction) => unknown,
  state: () => SessionHolder,
  subscribe: (listener: () => void) => () => void,
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let watched: string | null = null;

  const renew = async (email: string) => {
    const renewal = await renewToken(email);
    if (selectUser(state())?.email !== email) return;
    if (renewal.kind === 'refused') dispatch(forgetSession());
    else plan(renewal.kind === 'renewed' ? SHORTEST_WAIT : AFTER_NO_ANSWER);
  };

  const plan = (atLeast = SHORTEST_WAIT) => {
    clearTimeout(timer);
    const user = selectUser(state());
    const token = readToken();
    if (!user || !token) return;
    const left = (expiryOf(token) ?? Date.now() + USUAL_LIFE + MARGIN) - Date.now() - MARGIN;
    timer = setTimeout(() => void renew(user.email), Math.max(left, atLeast));
  };

  const onStorage = (event: StorageEvent) => {
    if (event.key !== TOKEN_KEY && event.key !== null) return;
    const { phase } = selectSession(state());
    const token = readToken();
    const { email = null } = token ? claimsOf(token) : {};
    if (token === null) {
      if (phase !== 'in') return;
      notify.info(signedOutElsewhere);
      dispatch(forgetSession());
    } else if (phase === 'in' && (email === null || email === watched)) {
      plan();
    } else if (phase === 'in' || phase === 'out') {
      // Also where somebody else signed in before this tab heard of the sign-out.
      dispatch(startSession());
    }
  };

  const onChange = () => {
    const email = selectUser(state())?.email ?? null;
    if (email === watched) return;
    const left = watched;
    watched = email;
    const session = selectSession(state());
    if (left !== null && session.phase === 'unknown') dispatch(dropAnswers());
    // The call to which the server said so is under way, and is to be heard to its end.
    if (session.phase === 'out' && session.lost) setTimeout(() => dispatch(dropAnswers()));
    plan();
  };

  const unsubscribe = subscribe(onChange);
  window.addEventListener('storage', onStorage);
  onChange();
  return () => {
    clearTimeout(timer);
    unsubscribe();
    window.removeEventListener('storage', onStorage);
  };
}
