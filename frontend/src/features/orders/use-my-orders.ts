import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { hasStatus } from '@/api/problem';
import { forgetSession, signOut } from '@/features/accounts/session/thunks';
import { useSessionDispatch, useUser } from '@/features/accounts/session/use-session';
import { paths } from '@/lib/paths';
import { notify } from '@/ui/notify';
import { useListOrdersQuery } from './api';
import { messages } from './messages';

/** The parts of one's orders: those that count, and the archive. They stand in the address as `state`. */
export const myViews = ['standing', 'refunded', 'cancelled'] as const;
export type MyView = (typeof myViews)[number];

/**
 * One's own orders, as the address asks for them. When the shop refuses them (401 or 403) the account is signed out, the token is cleared and Home is
 * shown (spec, section 7).
 */
export function useMyOrders() {
  const user = useUser();
  const dispatch = useSessionDispatch();
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const view = myViews.find((each) => each === params.get('state')) ?? myViews[0];
  const {
    currentData,
    data: _other,
    ...answer
  } = useListOrdersQuery(
    { email: user?.email ?? '', ...(view === myViews[0] ? {} : { state: view }) },
    // An order may be paid or shipped while its list stands in the background.
    { skip: user === null, refetchOnMountOrArgChange: true, refetchOnFocus: true },
  );

  const refused = answer.isError && !answer.isFetching && hasStatus(answer.error, 401, 403);
  useEffect(() => {
    if (!refused) return;
    const leave = async () => {
      const outcome = await dispatch(signOut());
      if (!outcome.ok) await dispatch(forgetSession());
      notify.error(messages.list.sessionOver);
      // The guard sends signed-out visitors to Login as soon as it hears of it; Home comes after that.
      setTimeout(() => navigate(paths.home, { replace: true }));
    };
    void leave();
  }, [refused, dispatch, navigate]);

  // What another part holds is not shown under this one's name.
  return { ...answer, data: currentData, view, refused };
}
