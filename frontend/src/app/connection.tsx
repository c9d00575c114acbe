import { setupListeners } from '@reduxjs/toolkit/query';
import { useEffect, useSyncExternalStore } from 'react';
import { useDispatch } from 'react-redux';
import { messages } from './late-messages';

function subscribe(listener: () => void): () => void {
  addEventListener('online', listener);
  addEventListener('offline', listener);
  return () => {
    removeEventListener('online', listener);
    removeEventListener('offline', listener);
  };
}

/** Says that there is no connection while there is none, and lets lists ask again once it is back. */
export function Connection() {
  const dispatch = useDispatch();
  const online = useSyncExternalStore(
    subscribe,
    () => navigator.onLine,
    () => true,
  );
  useEffect(() => setupListeners(dispatch), [dispatch]);
  if (online) return null;
  return (
    <p role="status" className="notice-bar site-frame fixed inset-x-0 bottom-0 z-40">
      {messages.offline}
    </p>
  );
}
