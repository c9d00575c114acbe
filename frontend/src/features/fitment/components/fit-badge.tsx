import type { Fit } from '@/api/types';
import { Badge } from '@/ui/badge';
import { fitMessages as messages } from '../messages';

/** What a list for a vehicle says of a part. */
export function FitBadge({ fit: { verdict } }: { fit: Fit }) {
  if (verdict === 'no') return null;
  const sure = verdict === 'yes' || verdict === 'universal';
  return (
    <Badge tone={sure ? 'success' : verdict === 'unknown' ? 'neutral' : 'warning'}>
      {messages.badge[verdict]}
    </Badge>
  );
}
