import { Component, type ReactNode, Suspense } from 'react';
import { retryFailedCode } from '@/lib/retrying-lazy';
import { Button } from '@/ui/button';
import * as messages from './messages';

interface Props {
  children: ReactNode;
  /** A new value, such as another path, gives the children another chance. */
  resetKey?: string;
  /** For what a page can do without: nothing stands in for it. */
  quiet?: boolean;
}

interface State {
  failed: boolean;
}

/**
 * Stands in for a screen that broke, or whose code did not arrive. It comes back by itself once the browser is online again,
 * and offers to load the page again.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidMount(): void {
    addEventListener('online', this.again);
  }

  override componentWillUnmount(): void {
    removeEventListener('online', this.again);
  }

  override componentDidUpdate(before: Props): void {
    if (before.resetKey !== this.props.resetKey) this.again();
  }

  again = (): void => {
    if (!this.state.failed) return;
    retryFailedCode();
    this.setState({ failed: false });
  };

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    if (this.props.quiet) return null;
    return (
      <div
        role="alert"
        className="shell grid min-h-96 content-center justify-items-center gap-4 py-16 text-center"
      >
        <h1 className="text-4xl">{messages.broken}</h1>
        <p className="max-w-prose text-muted">{messages.brokenHelp}</p>
        {/* A reload without a connection would take the page away. */}
        <Button onClick={() => (navigator.onLine ? location.reload() : this.again())}>
          {messages.retryPage}
        </Button>
      </div>
    );
  }
}

/** For code of its own that a page can do without: nothing is shown until it is there, or where it does not come. */
export function Quietly({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary quiet>
      <Suspense fallback={null}>{children}</Suspense>
    </ErrorBoundary>
  );
}
