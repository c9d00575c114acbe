import { useSearchParams } from 'react-router-dom';
import { usePageTitle } from '@/lib/use-page-title';
import { History } from '../components/history';
import { OpenFeed } from '../components/open-feed';
import { SendFeed } from '../components/send-feed';
import { messages } from '../messages';

/** Files that change many products: a new one or the one that the address names, above those that were sent before. */
export default function FeedsPage() {
  usePageTitle(messages.heading);
  const [params, setParams] = useSearchParams();
  const feed = params.get('feed');
  const open = (id: string) => setParams({ feed: id });
  return (
    <>
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{messages.heading}</h1>
      <p className="mb-8 max-w-prose text-muted">{messages.intro}</p>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
        {feed ? (
          <OpenFeed key={feed} id={feed} onBack={() => setParams({})} />
        ) : (
          <SendFeed onSent={open} />
        )}
        <History onOpen={open} />
      </div>
    </>
  );
}
