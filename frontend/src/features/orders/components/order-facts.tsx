import type { ReactNode } from 'react';
import { cx } from '@/ui/cx';

interface Fact {
  name: string;
  value: ReactNode;
  /** Takes a row of its own, as an address does. */
  long?: boolean;
  /** Running text, which is not set in bold. */
  text?: boolean;
}

/** The facts of an order as names and values, side by side where there is room. */
export function OrderFacts({ facts, wide = false }: { facts: readonly Fact[]; wide?: boolean }) {
  return (
    <dl className={cx('grid grid-cols-2 gap-x-8 gap-y-3', wide && 'xl:grid-cols-3')}>
      {facts.map(({ name, value, long, text }) => (
        <div key={name} className={cx('min-w-0', long && 'col-span-2')}>
          <dt className="text-sm text-muted">{name}</dt>
          <dd className={cx('wrap-anywhere', text ? 'whitespace-pre-line' : 'font-semibold')}>
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
