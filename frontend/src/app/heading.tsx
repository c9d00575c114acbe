import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { SpinnerPage } from '@/ui/spinner';
import * as messages from './messages';
import { screenAt } from './screens';

/** Even a page that waits or failed has its one heading; what it says stands below it for all to see. */
export function Heading({ children }: { children: string }) {
  return <h1 className="sr-only">{children}</h1>;
}

interface ScreenLoadingProps {
  fullScreen?: boolean;
  /** Gives the script a second before it is worth a word. */
  late?: boolean;
  /** In place of the spinner: what the screen will most likely look like. */
  skeleton?: ReactNode;
}

/** Stands in for a screen whose script is on its way. */
export function ScreenLoading({ fullScreen = false, late = false, skeleton }: ScreenLoadingProps) {
  const { title = messages.loading } = screenAt(useLocation().pathname) ?? {};
  return (
    <>
      <Heading>{title}</Heading>
      {skeleton ?? (
        <div className={late ? 'appear-after-wait' : ''}>
          <SpinnerPage fullScreen={fullScreen} />
        </div>
      )}
    </>
  );
}
