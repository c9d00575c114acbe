import type { Page } from '@/api/page';
import { messages } from '../messages';

/** Below a list of which only the beginning is shown: how much of it that is. */
export function Latest({ page: { items, total } }: { page: Page<unknown> }) {
  if (total <= items.length) return null;
  return <p className="text-muted">{messages.latest(items.length, total)}</p>;
}
