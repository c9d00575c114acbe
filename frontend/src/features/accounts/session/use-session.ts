import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { useCallback } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import type { CallError } from '@/api/problem';
import type { SessionHolder, SessionState } from '@/api/session-state';
import type { Person } from '@/api/types';
import { notify } from '@/ui/notify';
import { useIsAdminQuery } from './api';
import * as messages from './messages';
import { selectSession, selectUser } from './slice';
import { forgetSession, signOut, startSession } from './thunks';

export type SessionDispatch = ThunkDispatch<SessionHolder, unknown, UnknownAction>;
export const useSessionDispatch = useDispatch.withTypes<SessionDispatch>();

export function useSession(): SessionState {
  return useSelector(selectSession);
}

/** Who is signed in, or null. */
export function useUser(): Person | null {
  return useSelector(selectUser);
}

interface Role {
  /** `none` for visitors; `asking` while the server looks it up. */
  state: 'none' | 'asking' | 'admin' | 'customer' | 'failed';
  error: CallError | undefined;
  retry: () => void;
}

export function useRole(): Role {
  const user = useUser();
  const answer = useIsAdminQuery(user?.email ?? '', { skip: user === null });
  const retry = useCallback(() => void answer.refetch(), [answer.refetch]);
  if (user === null) return { state: 'none', error: undefined, retry };
  if (answer.data !== undefined) {
    return { state: answer.data.admin ? 'admin' : 'customer', error: undefined, retry };
  }
  return {
    state: answer.isError && !answer.isFetching ? 'failed' : 'asking',
    error: answer.error,
    retry,
  };
}

/** Signs out; a failure is shown in a toast and leaves the account signed in. Returns whether it worked. */
export function useSignOut(): () => Promise<boolean> {
  const dispatch = useSessionDispatch();
  return useCallback(async () => {
    const outcome = await dispatch(signOut());
    if (!outcome.ok) notify.error(messages.signOutFailed(outcome.problem.message));
    return outcome.ok;
  }, [dispatch]);
}

/** Drops the session on this side only: for a server that has just said that it is no good (401 or 403). */
export function useForgetSession(): () => void {
  const dispatch = useSessionDispatch();
  return useCallback(() => void dispatch(forgetSession()), [dispatch]);
}

export function useRetrySession(): () => void {
  const dispatch = useSessionDispatch();
  return useCallback(() => void dispatch(startSession()), [dispatch]);
}
