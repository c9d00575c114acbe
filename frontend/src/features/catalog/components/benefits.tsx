import { Boxes, Headset, RotateCcw, Truck } from 'lucide-react';

const benefits = [
  { icon: Truck, title: 'Free delivery', text: 'For orders over $140' },
  { icon: Headset, title: '24/7 customer support', text: 'People who know the part' },
  { icon: RotateCcw, title: 'Money back guarantee', text: 'Within 30 days' },
  { icon: Boxes, title: 'Made for bulk', text: 'From 50 pieces of a part' },
] as const;

export function Benefits() {
  return (
    <section aria-label="Benefits" className="border-b border-base-300 bg-base-200">
      <ul className="shell grid gap-x-8 gap-y-6 py-8 sm:grid-cols-2 lg:grid-cols-4">
        {benefits.map(({ icon: Icon, title, text }) => (
          <li key={title} className="flex items-center gap-4">
            <Icon aria-hidden="true" className="size-9 shrink-0 text-accent" strokeWidth={1.5} />
            <div>
              <p className="font-display text-xl leading-tight font-bold uppercase">{title}</p>
              <p className="text-muted">{text}</p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
