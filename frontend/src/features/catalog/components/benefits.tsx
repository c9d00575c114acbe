import { Boxes, Headset, RotateCcw, Truck } from 'lucide-react';
import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { benefitMessages } from '../pages/messages';

const benefits = [
  { icon: Truck, to: paths.shipping, ...benefitMessages.delivery },
  { icon: Headset, to: paths.contact, ...benefitMessages.support },
  { icon: RotateCcw, to: paths.returnPolicy, ...benefitMessages.guarantee },
  { icon: Boxes, to: paths.terms, ...benefitMessages.bulk },
] as const;

/** What the shop promises; each promise leads to the page that covers it. */
export function Benefits() {
  return (
    <section aria-label={benefitMessages.label} className="border-b border-base-300 bg-base-200">
      <ul className="shell grid gap-x-8 gap-y-6 py-8 sm:grid-cols-2 lg:grid-cols-4">
        {benefits.map(({ icon: Icon, to, title, text }) => (
          <li key={title}>
            <Link to={to} className="flex items-center gap-4 hover:underline">
              <Icon aria-hidden="true" className="size-9 shrink-0 text-accent" strokeWidth={1.5} />
              <div>
                <p className="font-display text-xl leading-tight font-bold uppercase">{title}</p>
                <p className="text-muted">{text}</p>
              </div>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
