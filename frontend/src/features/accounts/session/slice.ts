import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Problem } from '@/api/problem';
import { type SessionHolder, type SessionState, sessionLost } from '@/api/session-state';
import type { Person } from '@/api/types';

const slice = createSlice({
  name: 'session',
  initialState: { phase: 'unknown' } as SessionState,
  reducers: {
    sessionRequested: (): SessionState => ({ phase: 'unknown' }),
    sessionOpened: (_state, action: PayloadAction<Person>): SessionState => ({
      phase: 'in',
      user: action.payload,
    }),
    /** With `true` after a first step to which a second belongs. */
    sessionClosed: (_state, action: PayloadAction<boolean | undefined>): SessionState => ({
      phase: 'out',
      half: action.payload,
    }),
    sessionFailed: (_state, action: PayloadAction<Problem>): SessionState => ({
      phase: 'failed',
      problem: action.payload,
    }),
    accountChanged: (state, action: PayloadAction<Person>): SessionState =>
      state.phase === 'in' ? { phase: 'in', user: action.payload } : state,
  },
  extraReducers: (builder) => {
    builder.addCase(sessionLost, (): SessionState => ({ phase: 'out', lost: true }));
  },
});

export const { sessionRequested, sessionOpened, sessionClosed, sessionFailed, accountChanged } =
  slice.actions;
export const sessionReducer = slice.reducer;

export const selectSession = (state: SessionHolder): SessionState => state.session;
export const selectUser = (state: SessionHolder): Person | null =>
  state.session.phase === 'in' ? state.session.user : null;
