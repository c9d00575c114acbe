import { TrendingDown, TrendingUp } from 'lucide-react';
import { messages } from '../messages';

/** Up or down, in words and by an arrow; a color of its own would call every change good or bad. */
export function Change({ percent }: { percent: number }) {
  const Arrow = percent < 0 ? TrendingDown : TrendingUp;
  return (
    <span className="inline-flex items-center gap-1.5 text-sm">
      {percent !== 0 && <Arrow aria-hidden="true" className="size-4 shrink-0 text-accent" />}
      {messages.figures.changed(percent)}
    </span>
  );
}
