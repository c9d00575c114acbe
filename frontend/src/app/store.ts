import { configureStore } from '@reduxjs/toolkit';
import { api } from '@/api/api';
import { sessionReducer } from '@/features/session/slice';

export function createStore() {
  return configureStore({
    reducer: { session: sessionReducer, [api.reducerPath]: api.reducer },
    middleware: (defaults) => defaults().concat(api.middleware),
  });
}

export type Store = ReturnType<typeof createStore>;
