import { type CallError, hasStatus } from '@/api/problem';
import { notify } from '@/ui/notify';
import { profileMessages } from './messages';

/** The spec's words for saving a profile after the session has ended (section 8). */
export const NO_USER = profileMessages.noUser;

/** Says so, where that is what the shop answered: in a toast, since the guard may have taken the form away by now. */
export function notifyNoUser(error: CallError | undefined): boolean {
  if (!hasStatus(error, 401)) return false;
  notify.error(NO_USER);
  return true;
}
