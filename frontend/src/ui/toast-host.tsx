import { Suspense, useEffect, useState } from 'react';
import { retryingLazy } from '@/lib/retrying-lazy';
import { onNotice } from './notify';

const Toaster = retryingLazy(() => import(/* webpackChunkName: "toaster" */ './toaster'));

/** Mounted once by the layout. Loads the toasts' library when the first message comes. */
export function ToastHost() {
  const [count, setCount] = useState(0);
  useEffect(() => onNotice(() => setCount((before) => before + 1)), []);
  if (count === 0) return null;
  return (
    <Suspense fallback={null}>
      <Toaster wakeUps={count} />
    </Suspense>
  );
}
