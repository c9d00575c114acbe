import './styles/fonts.css';
import './styles/app.css';
import { startTransition } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { reportDefect, watchDefects } from './app/report-defect';

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

/** Lets the page answer to whoever is using it already. */
const yieldToMain = () => new Promise((done) => setTimeout(done));

/** The client's parts, run one after the other with a pause between: together they would hold the page up. */
async function parts() {
  const { createRoot, hydrateRoot } = await import(/* webpackMode: "eager" */ 'react-dom/client');
  await yieldToMain();
  const { createStore } = await import(/* webpackMode: "eager" */ './app/store');
  const session = await import(/* webpackMode: "eager" */ './features/accounts/session/thunks');
  await yieldToMain();
  const { Root } = await import(/* webpackMode: "eager" */ './app/root');
  await yieldToMain();
  return { createRoot, hydrateRoot, createStore, Root, ...session };
}

/** A boundary catches a screen that broke, so that no listener hears of it. */
function onCaughtError(error: unknown): void {
  reportDefect('render', error);
  // For the browser's console; heard by the listener too, and the same message is reported once.
  reportError(error);
}

async function start(root: HTMLElement): Promise<void> {
  const { createRoot, hydrateRoot, createStore, Root, startSession, watchSession } = await parts();
  const store = createStore();
  // What pages were rendered with. Screens that are taken over begin with it, however much is known by then.
  const blank = store.getState();
  void store.dispatch(startSession());
  watchSession((thunk) => store.dispatch(thunk), store.getState, store.subscribe);

  const tree = (
    <BrowserRouter>
      <Root store={store} rendered={blank} />
    </BrowserRouter>
  );
  if (!root.hasChildNodes()) {
    createRoot(root, { onCaughtError }).render(tree);
    return;
  }
  await otherStyles();
  // In slices, so that the page answers while it is taken over.
  startTransition(() => {
    hydrateRoot(root, tree, { onCaughtError });
  });
}

watchDefects();
const root = document.getElementById('root');
if (root) void start(root);
