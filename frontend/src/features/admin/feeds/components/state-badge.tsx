import type { Feed, FeedStateName } from '@/api/types';
import { Badge } from '@/ui/badge';
import { messages } from '../messages';

const tones = {
  waiting: 'neutral',
  reading: 'accent',
  checked: 'warning',
  applying: 'accent',
  applied: 'success',
  failed: 'error',
  cancelled: 'neutral',
} as const satisfies Record<FeedStateName, string>;

/** Whether the shop works on it, or is about to. */
export const works = ({ state }: Pick<Feed, 'state'>) =>
  state === 'waiting' || state === 'reading' || state === 'applying';

export function StateBadge({ feed: { state } }: { feed: Pick<Feed, 'state'> }) {
  return <Badge tone={tones[state]}>{messages.states[state]}</Badge>;
}
