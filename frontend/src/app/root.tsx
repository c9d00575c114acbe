import { StrictMode } from 'react';
import { Provider } from 'react-redux';
import { App } from './app';
import type { Store } from './store';

interface RootProps {
  store: Store;
  /** The state with which a page was rendered ahead of time; needed where that page is taken over. */
  rendered?: ReturnType<Store['getState']>;
}

/** Everything inside the router: the same tree for browsers and for the pages that are rendered ahead of time. */
export function Root({ store, rendered }: RootProps) {
  return (
    <StrictMode>
      <Provider store={store} {...(rendered ? { serverState: rendered } : {})}>
        <App />
      </Provider>
    </StrictMode>
  );
}
