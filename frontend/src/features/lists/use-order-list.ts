import { useNavigate } from 'react-router-dom';
import { problemOf } from '@/api/problem';
import { useUser } from '@/features/accounts/session/use-session';
import { keepReorder } from '@/features/quick-order/kept';
import { buyingPaths } from '@/lib/buying-paths';
import { notify } from '@/ui/notify';
import { useCheckSavedListMutation } from './api';
import { messages } from './messages';

/**
 * Checks a list and lays its lines out in Quick order, where each can be edited and all that can be ordered added to the order:
 * nothing is bought by it, and nothing is left out without a word.
 */
export function useOrderList() {
  const user = useUser();
  const navigate = useNavigate();
  const [check, { isLoading, originalArgs }] = useCheckSavedListMutation();
  const order = async (id: string) => {
    const { data, error } = await check(id);
    if (error) {
      notify.error(messages.checkFailed(problemOf(error).message));
      return;
    }
    if (user) keepReorder(user.email, data.rows);
    navigate(buyingPaths.quickOrder);
  };
  return { order, checking: isLoading ? originalArgs : undefined };
}
