import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter, Route, Routes, useLocation } from 'react-router-dom';
import type { Person } from '@/api/types';
import { createStore } from '@/app/store';
import { sessionClosed, sessionOpened } from '@/features/accounts/session/slice';
import { PageLevel } from '@/ui/page-level';

export const customer: Person = {
  email: 'casey@example.com',
  displayName: 'Casey Lane',
  photoURL: null,
};

interface Options {
  /** Where the test begins: a path, or a location with router state. */
  at?: string | { pathname: string; state: unknown };
  /** Who is signed in; null, or left out, for a visitor. */
  user?: Person | null;
}

/** Renders with a store and a router of its own. The calls are answered by `server.use(...)` of the test. */
export function renderApp(ui: ReactNode, { at = '/', user = null }: Options = {}) {
  const store = createStore();
  store.dispatch(user ? sessionOpened(user) : sessionClosed());
  const view = render(
    <Provider store={store}>
      <MemoryRouter initialEntries={[at]}>
        {ui}
        <PageLevel />
      </MemoryRouter>
    </Provider>,
  );
  return { store, ...view };
}

function Where() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{`${pathname}${search}`}</output>;
}

/** Renders screens by their paths, as `renderApp` does; every other path is an empty screen. */
export function renderScreens(screens: Record<string, ReactNode>, options?: Options) {
  return renderApp(
    <>
      <Where />
      <Routes>
        {Object.entries(screens).map(([path, element]) => (
          <Route key={path} path={path} element={element} />
        ))}
        <Route path="*" element={null} />
      </Routes>
    </>,
    options,
  );
}

/** The path and the query at which a test has come to be, of those that began with `renderScreens`. */
export function address() {
  return screen.getByRole('status', { name: 'address' }).textContent;
}
