import { usePageTitle } from '@/lib/use-page-title';
import { GivenUp } from '../components/given-up';
import { WebhookSubscriptions } from '../components/webhook-subscriptions';
import { messages } from '../messages';

export default function DeliveriesPage() {
  usePageTitle(messages.heading);
  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{messages.heading}</h1>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
        <GivenUp />
        <WebhookSubscriptions />
      </div>
    </>
  );
}
