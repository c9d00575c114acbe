import { problemOf } from '@/api/problem';
import { formatCount } from '@/lib/money';
import { Button } from '@/ui/button';
import { useRetryDeliveriesMutation } from '../api';

export interface Result {
  tone: 'success' | 'error';
  text: string;
}

interface RetryAllProps {
  /** Only what was given up for this webhook, which is switched on again; everything without it. */
  subscription?: { id: string; url: string };
  onResult: (result: Result) => void;
}

/** Tries everything again that was given up. */
export function RetryAll({ subscription, onResult }: RetryAllProps) {
  const [retry, { isLoading }] = useRetryDeliveriesMutation();
  const send = async () => {
    const { data, error } = await retry(subscription?.id);
    if (error) {
      onResult({ tone: 'error', text: problemOf(error).message });
      return;
    }
    const many = data?.modifiedCount ?? 0;
    const which = many === 1 ? '1 delivery is' : `${formatCount(many)} deliveries are`;
    onResult({ tone: 'success', text: `${which} tried again now.` });
  };
  return (
    <Button variant="outline" busy={isLoading} onClick={send}>
      Retry all{subscription && <span className="sr-only"> to {subscription.url}</span>}
    </Button>
  );
}
