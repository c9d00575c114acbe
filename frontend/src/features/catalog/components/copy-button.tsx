import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { factMessages as messages } from '../pages/fact-messages';

/** Milliseconds for which it says what came of it. */
const SAYS = 3_000;

/** Puts a number into the clipboard, and says so. */
export function CopyButton({ text }: { text: string }) {
  const [said, setSaid] = useState<string | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), SAYS);
    return () => clearTimeout(timer);
  }, [said]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid(messages.copied);
    } catch {
      // A page that was not opened over https has no clipboard.
      setSaid(messages.copyByHand);
    }
  };

  const Icon = said === messages.copied ? Check : Copy;
  return (
    <span className="inline-flex items-center gap-1">
      <button
        type="button"
        className="btn btn-ghost btn-square"
        aria-label={messages.copy(text)}
        title={messages.copy(text)}
        onClick={copy}
      >
        <Icon aria-hidden="true" className="size-5" />
      </button>
      <span role="status" className="text-sm text-muted">
        {said}
      </span>
    </span>
  );
}
