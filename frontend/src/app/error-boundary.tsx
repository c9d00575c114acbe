import { Component, type ReactNode } from 'react';
import { Button } from '@/ui/button';
import * as messages from './messages';

interface Props {
  children: ReactNode;
  /** A new value, such as another path, gives the children another chance. */
  resetKey?: string;
}

interface State {
  failed: boolean;
}

/** Stands in for a screen that broke, or whose code did not arrive, and offers to load the page again. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { failed: false };

  static getDerivedStateFromError(): State {
    return { failed: true };
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.failed && before.resetKey !== this.props.resetKey)
      this.setState({ failed: false });
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <div
        role="alert"
        className="shell grid min-h-96 content-center justify-items-center gap-4 py-16 text-center"
      >
        <h1 className="text-4xl">{messages.broken}</h1>
        <p className="max-w-prose text-muted">{messages.brokenHelp}</p>
        <Button onClick={() => location.reload()}>{messages.retryPage}</Button>
      </div>
    );
  }
}
