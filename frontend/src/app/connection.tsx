import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { api } from '@/api/api';
import { messages } from './late-messages';
import type { Store } from './store';

// What `setupListeners` dispatches; by itself it would stand in the first page's script.
const { onOnline, onOffline, onFocus, onFocusLost } = api.internalActions;

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** How long nothing but grey bars goes without a word, in milliseconds. */
const PATIENCE = 5_000;

/** Whether something is read for the first time, so that a screen has nothing of it to show. */
function isAwaited(state: ReturnType<Store['getState']>): boolean {
  return Object.values(state[api.reducerPath].queries).some(
    (query) => query?.status === 'pending' && query.data === undefined,
  );
}

function useLongWait(): boolean {
  const awaited = useSelector(isAwaited);
  const [long, setLong] = useState(false);
  useEffect(() => {
    if (!awaited) return;
    const timer = setTimeout(() => setLong(true), PATIENCE);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [awaited]);
  return long;
}

/** Says what the connection is like where it is bad, and lets lists ask again once it is back. */
export function Connection() {
  const dispatch = useDispatch();
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  // What has not changed is not said: what is being read without a subscriber would be dropped.
  const said = useRef(true);
  useEffect(() => {
    if (said.current === online) return;
    said.current = online;
    dispatch(online ? onOnline() : onOffline());
  }, [online, dispatch]);
  useEffect(() => {
    const onLook = () =>
      dispatch(document.visibilityState === 'visible' ? onFocus() : onFocusLost());
    document.addEventListener('visibilitychange', onLook);
    addEventListener('focus', onLook);
    return () => {
      document.removeEventListener('visibilitychange', onLook);
      removeEventListener('focus', onLook);
    };
  }, [dispatch]);
  const slow = useLongWait();
  if (online && slow) {
    return (
      <p
        role="status"
        className="card-surface site-frame fixed inset-x-0 bottom-0 z-40 p-4 text-center font-semibold"
      >
        {messages.stillLoading}
      </p>
    );
  }
  if (online) return null;
  return (
    <p role="status" className="notice-bar site-frame fixed inset-x-0 bottom-0 z-40">
      {messages.offline}
    </p>
  );
}
