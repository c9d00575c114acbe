import { ladderOf, type Priced, savingAt, tierAt } from '@/lib/tiers';
import { cx } from '@/ui/cx';
import { messages } from '../messages';

interface PriceLadderProps {
  product: Priced;
  /** How many are chosen. */
  quantity: number;
  /** Whether these are prices of this account. */
  personal: boolean;
}

const cell = 'px-3 py-2';

/** What a unit costs from how many on. Nothing where all cost the same. */
export function PriceLadder({ product, quantity, personal }: PriceLadderProps) {
  const ladder = ladderOf(product);
  const [first] = ladder;
  if (!first || ladder.length < 2) return null;
  const applies = tierAt(ladder, quantity);
  const heading = personal ? messages.personalHeading : messages.heading;
  return (
    <div className="grid gap-2">
      <p id="ladder" className="text-sm text-muted">
        {heading}
      </p>
      <table
        aria-labelledby="ladder"
        className="w-full overflow-hidden rounded-field border border-base-300 text-left"
      >
        <thead className="bg-base-200 text-sm">
          <tr>
            <th scope="col" className={cell}>
              {messages.units}
            </th>
            <th scope="col" className={cx(cell, 'text-right')}>
              {messages.each}
            </th>
            <th scope="col" className={cx(cell, 'text-right')}>
              {messages.saves}
            </th>
          </tr>
        </thead>
        <tbody>
          {ladder.map((tier) => {
            const saved = 1 - tier.price / first.price;
            const isApplied = tier === applies;
            return (
              <tr
                key={tier.from}
                aria-current={isApplied || undefined}
                className={cx(
                  'border-t border-base-300',
                  isApplied && 'bg-base-200 font-bold shadow-[inset_3px_0_0_var(--color-primary)]',
                )}
              >
                <th scope="row" className={cx(cell, !isApplied && 'font-normal')}>
                  {messages.from(tier.from)}
                  {isApplied && <span className="sr-only"> ({messages.applies})</span>}
                </th>
                <td className={cx(cell, 'text-right')}>{messages.price(tier.price)}</td>
                <td className={cx(cell, 'text-right', saved > 0 ? 'text-success' : 'text-muted')}>
                  {saved > 0 ? messages.percent(saved) : messages.nothing}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface SavingOfferProps {
  product: Priced & { availableQty: number };
  quantity: number;
  onChoose: (quantity: number) => void;
}

/** Where more units would cost less in all: how many, and the way to them. */
export function SavingOffer({ product, quantity, onChoose }: SavingOfferProps) {
  const saving = savingAt(product, quantity, product.availableQty);
  if (!saving) return null;
  return (
    <button
      type="button"
      className="link-accent min-h-11 cursor-pointer justify-self-start text-left font-semibold"
      onClick={() => onChoose(saving.quantity)}
    >
      {messages.saving(saving.more, saving.less)}
    </button>
  );
}
