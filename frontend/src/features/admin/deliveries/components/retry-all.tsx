import { problemOf } from '@/api/problem';
import { Button } from '@/ui/button';
import { useRetryDeliveriesMutation } from '../api';
import { messages } from '../messages';

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
    onResult({ tone: 'success', text: messages.retryingAll(data?.modifiedCount ?? 0) });
  };
  return (
    <Button variant="outline" busy={isLoading} onClick={send}>
      {messages.retryAll}
      {subscription && <span className="sr-only"> {messages.retryAllTo(subscription.url)}</span>}
    </Button>
  );
}
