import { useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { onProofAsked } from '@/api/second-factor';
import { useSession } from '@/features/accounts/session/use-session';
import { paths } from '@/lib/paths';
import { retryingLazy } from '@/lib/retrying-lazy';

const ProofDialog = retryingLazy(
  () => import(/* webpackChunkName: "second-step" */ './proof-dialog'),
);

/** Sends whoever is half logged in to the second step, and asks for it again where the shop does. */
export function TwoStepHost() {
  const session = useSession();
  const { pathname, search, hash } = useLocation();
  const navigate = useNavigate();
  const waiting = useRef<((proved: boolean) => void)[]>([]);
  const [asks, setAsks] = useState(false);
  const isHalf = session.phase === 'out' && session.half;

  useEffect(() => {
    if (!isHalf || pathname === paths.login) return;
    navigate(paths.login, { replace: true, state: { from: `${pathname}${search}${hash}` } });
  }, [isHalf, pathname, search, hash, navigate]);

  useEffect(() => {
    onProofAsked(
      () =>
        new Promise((resolve) => {
          // However many calls were refused, the question is asked once.
          waiting.current.push(resolve);
          setAsks(true);
        }),
    );
  }, []);

  if (!asks) return null;
  const answer = (proved: boolean) => {
    setAsks(false);
    for (const resolve of waiting.current.splice(0)) resolve(proved);
  };
  return <ProofDialog onAnswer={answer} />;
}
