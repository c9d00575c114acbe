import { configureStore } from '@reduxjs/toolkit';
import { api } from '@/api/api';
import { sessionReducer } from '@/features/accounts/session/slice';

export function createStore() {
  return configureStore({
    reducer: { session: sessionReducer, [api.reducerPath]: api.reducer },
    middleware: (defaults) => defaults().concat(api.middleware),
    // By default screens hear of cached answers a frame late, and would show the old figures beside a new message.
    enhancers: (defaults) => defaults({ autoBatch: { type: 'tick' } }),
  });
}

export type Store = ReturnType<typeof createStore>;
