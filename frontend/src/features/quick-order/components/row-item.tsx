import { X } from 'lucide-react';
import { memo, useState } from 'react';
import { Link } from 'react-router-dom';
import { QuantityStepper, STEPPER_WIDTH } from '@/features/basket/components/quantity-stepper';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Button } from '@/ui/button';
import { cx } from '@/ui/cx';
import { lazyRow } from '@/ui/lazy-row';
import { messages } from '../messages';
import { groupOf, leastOf, mostOf, type Row } from '../rows';
import type { QuickOrder } from '../use-quick-order';
import type { Choice } from '../wire';
import { Status } from './status';

type Edits = QuickOrder['edits'];

const details = ({ price, available }: Pick<Row, 'price' | 'available'>) =>
  [
    typeof price === 'number' ? messages.each(price) : null,
    typeof available === 'number' ? messages.inStock(available) : null,
  ].filter((text) => text !== null);

/** The parts that a line may mean. */
function Choices({ row, choices, edits }: { row: Row; choices: readonly Choice[]; edits: Edits }) {
  return (
    <fieldset className="mt-2">
      <legend className="mb-2 text-sm font-semibold">{messages.which}</legend>
      <ul className="grid gap-2">
        {choices.map((choice) => (
          <li key={choice.productId}>
            <button
              type="button"
              className="flex min-h-11 w-full cursor-pointer flex-wrap items-baseline gap-x-3 rounded-field border border-edge px-3 py-2 text-left hover:border-base-content"
              onClick={() => edits.choose(row.key, choice)}
            >
              <span className="sr-only">{messages.choose(choice.name)} </span>
              <span className="font-semibold">
                {[choice.brand, choice.partNumber].filter(Boolean).join(' ')}
              </span>
              <span aria-hidden="true">{choice.name}</span>
              <span className="text-sm text-muted">{details(choice).join(' · ')}</span>
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** A line that nothing was found for: the closest numbers, and the line itself to correct. */
function Correction({ row, edits }: { row: Row; edits: Edits }) {
  const [text, setText] = useState(row.text);
  const [busy, setBusy] = useState(false);
  const recheck = async (typed: string) => {
    if (typed.trim() === '') return;
    setBusy(true);
    await edits.recheck(row.key, typed);
    setBusy(false);
  };
  const closest = (row.choices ?? []).filter(({ partNumber }) => partNumber);
  return (
    <div className="mt-2 grid gap-3">
      {closest.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <span className="text-sm font-semibold">{messages.closest}</span>
          {closest.map(({ productId, partNumber, name }) => (
            <button
              key={productId}
              type="button"
              title={name}
              aria-label={messages.take(partNumber ?? '')}
              className="btn btn-outline"
              disabled={busy}
              onClick={() => void recheck(`${partNumber} ${Math.max(row.quantity, 1)}`)}
            >
              {partNumber}
            </button>
          ))}
        </div>
      )}
      <form
        className="flex gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          void recheck(text);
        }}
      >
        <input
          className="input max-w-64"
          aria-label={`${messages.fix}: ${messages.row(row.line)}`}
          value={text}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" variant="outline" busy={busy}>
          {messages.recheck}
        </Button>
      </form>
    </div>
  );
}

function Part({ row, edits }: { row: Row; edits: Edits }) {
  const { productId, name, partNumber, status } = row;
  const found = productId && name;
  return (
    <div className="min-w-0">
      {found ? (
        <>
          <p className="leading-tight font-semibold wrap-anywhere">
            <Link to={paths.product(productId)} className="hover:text-accent hover:underline">
              {name}
            </Link>
          </p>
          <p className="text-sm text-muted wrap-anywhere">
            {[partNumber, ...details(row)].filter(Boolean).join(' · ')}
          </p>
        </>
      ) : (
        <p className="wrap-anywhere">
          <span className="block text-sm text-muted">{messages.typed}</span>
          <span className="font-semibold">{row.text}</span>
        </p>
      )}
      {status === 'choose' && row.choices && (
        <Choices row={row} choices={row.choices} edits={edits} />
      )}
      {status === 'unknown' && <Correction row={row} edits={edits} />}
    </div>
  );
}

interface RowItemProps {
  row: Row;
  edits: Edits;
}

/** One line of the list: what was found, what became of it, how many, what that costs. On a phone it is a card. */
export const RowItem = memo(function RowItem({ row, edits }: RowItemProps) {
  const { key, line, name, partNumber, text, quantity, total } = row;
  const inOrder = groupOf(row) === 'order';
  const called = name ?? partNumber ?? text;
  const statusId = `status-${key}`;
  return (
    <li
      aria-label={messages.row(line)}
      style={lazyRow}
      className="flex flex-wrap items-start gap-x-4 gap-y-2 px-4 py-3"
    >
      <div className="flex min-w-0 flex-1 basis-60 gap-3">
        <span className="w-8 shrink-0 pt-0.5 text-sm text-muted">{formatCount(line)}</span>
        <div className="min-w-0 flex-1">
          <Part row={row} edits={edits} />
        </div>
      </div>
      <div className="min-w-0 flex-1 basis-40 pt-0.5">
        <Status id={statusId} row={row} />
      </div>
      {inOrder ? (
        <QuantityStepper
          name={called}
          value={quantity}
          min={leastOf(row)}
          max={mostOf(row)}
          describedBy={statusId}
          onChange={(units) => edits.setQuantity(key, units)}
        />
      ) : (
        <span className="pt-0.5 text-center text-muted" style={{ width: STEPPER_WIDTH }}>
          {quantity > 0 ? messages.units(quantity) : ''}
        </span>
      )}
      <p
        className={cx(
          'ml-auto flex min-h-11 items-center justify-end text-lg font-semibold md:min-w-28',
          row.pending && 'opacity-60',
        )}
      >
        {inOrder && typeof total === 'number' ? formatMoney(total) : ''}
      </p>
      <button
        type="button"
        className="btn btn-ghost btn-square -mr-2"
        aria-label={`${messages.remove} ${messages.row(line)}: ${called}`}
        onClick={() => edits.remove([key], messages.removed(line))}
      >
        <X aria-hidden="true" className="size-5" />
      </button>
    </li>
  );
});
