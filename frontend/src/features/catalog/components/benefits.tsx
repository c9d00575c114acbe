import { Boxes, Headset, RotateCcw, Truck } from 'lucide-react';
import { benefitMessages } from '../pages/messages';

const benefits = [
  { icon: Truck, ...benefitMessages.delivery },
  { icon: Headset, ...benefitMessages.support },
  { icon: RotateCcw, ...benefitMessages.guarantee },
  { icon: Boxes, ...benefitMessages.bulk },
] as const;

export function Benefits() {
  return (
    <section aria-label={benefitMessages.label} className="border-b border-base-300 bg-base-200">
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
