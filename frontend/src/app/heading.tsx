import { useLocation } from 'react-router-dom';
import { SpinnerPage } from '@/ui/spinner';
import * as messages from './messages';
import { screenAt } from './screens';

/** Even a page that waits or failed has its one heading; what it says stands below it for all to see. */
export function Heading({ children }: { children: string }) {
  return <h1 className="sr-only">{children}</h1>;
}

/** Stands in for a screen whose script is on its way. */
export function ScreenLoading({ fullScreen = false }: { fullScreen?: boolean }) {
  const { title = messages.loading } = screenAt(useLocation().pathname) ?? {};
  return (
    <>
      <Heading>{title}</Heading>
      <SpinnerPage fullScreen={fullScreen} />
    </>
  );
}
