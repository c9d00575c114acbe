import './styles/fonts.css';
import './styles/app.css';
import { startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { Root } from './app/root';
import { createStore } from './app/store';
import { startSession, watchSession } from './features/session/deeds';

/**
 * A page that was rendered ahead of time brings the styles it needs; the others arrive without holding it up, under a
 * medium that no screen has. Nothing new is drawn before they are there.
 */
async function otherStyles(): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"][media="print"]');
  if (!link) return;
  if (!link.sheet) {
    await new Promise((done) => {
      link.addEventListener('load', done);
      link.addEventListener('error', done);
    });
  }
  link.media = 'all';
}

async function start(root: HTMLElement): Promise<void> {
  const store = createStore();
  // What pages were rendered with. Screens that are taken over begin with it, however much is known by then.
  const blank = store.getState();
  void store.dispatch(startSession());
  watchSession((deed) => store.dispatch(deed), store.getState, store.subscribe);

  const tree = (
    <BrowserRouter>
      <Root store={store} rendered={blank} />
    </BrowserRouter>
  );
  if (!root.hasChildNodes()) {
    createRoot(root).render(tree);
    return;
  }
  await otherStyles();
  // In slices, so that the page answers while it is taken over.
  startTransition(() => {
    hydrateRoot(root, tree);
  });
}

const root = document.getElementById('root');
if (root) void start(root);
