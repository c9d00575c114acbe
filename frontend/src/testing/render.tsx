import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router-dom';
import type { Person } from '@/api/types';
import { createStore } from '@/app/store';
import { sessionClosed, sessionOpened } from '@/features/session/slice';

export const customer: Person = {
  email: 'casey@example.com',
  displayName: 'Casey Lane',
  photoURL: null,
};

interface Options {
  /** Where the test begins: a path, or a location with router state. */
  at?: string | { pathname: string; state: unknown };
  /** Who is signed in; null for a visitor, undefined for a session that is not known yet. */
  user?: Person | null;
}

/** Renders with a store and a router of its own. The calls are answered by `server.use(...)` of the test. */
export function renderApp(ui: ReactNode, { at = '/', user = null }: Options = {}) {
  const store = createStore();
  if (user) store.dispatch(sessionOpened(user));
  else if (user === null) store.dispatch(sessionClosed());
  const view = render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[at]}>{ui}</MemoryRouter>
    </Provider>,
  );
  return { store, ...view };
}
