import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { messages } from '../messages';
import { OrderTimeline } from './order-timeline';

/** What happened to an order, asked for when somebody opens it. */
export function OrderHistory({ id }: { id: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)} className="group">
      <summary className="inline-flex min-h-11 cursor-pointer list-none items-center gap-2 font-semibold text-muted hover:text-base-content [&::-webkit-details-marker]:hidden">
        <ChevronDown
          aria-hidden="true"
          className="size-4 transition-transform group-open:rotate-180"
        />
        {messages.history.heading}
      </summary>
      {open && (
        <div className="mt-2">
          <OrderTimeline id={id} />
        </div>
      )}
    </details>
  );
}
