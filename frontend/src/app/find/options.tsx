import { CarFront } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import type { Part } from '@/api/parts';
import { StockBadge } from '@/features/catalog/components/stock-badge';
import { formatMoney } from '@/lib/money';
import { cx } from '@/ui/cx';
import { ProductPicture } from '@/ui/product-picture';

interface OptionProps {
  id: string;
  active: boolean;
  onPoint: () => void;
  onChoose: () => void;
  children: ReactNode;
}

/** What can be chosen. The focus stays in the field, which names the active one. */
export function Option({ id, active, onPoint, onChoose, children }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) element.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, and its keys choose.
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      className={cx(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-field px-3 py-1',
        active && 'bg-base-300 shadow-[inset_3px_0_0_var(--color-primary)]',
      )}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      {children}
    </div>
  );
}

export function OptionGroup({ label, children }: { label: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: within a listbox no fieldset may stand.
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className="px-3 pt-3 text-sm text-muted">
        {label}
      </div>
      {children}
    </div>
  );
}

export function PartOption({ part }: { part: Part }) {
  return (
    <>
      <span className="w-16 shrink-0">
        <ProductPicture img={part.img} alt="" sizes="64px" className="rounded-field" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{part.name}</span>
        <span className="block truncate text-sm text-muted">{part.partNumber}</span>
        {part.via && <span className="block text-sm text-accent">{part.via}</span>}
      </span>
      <span className="grid justify-items-end gap-1 text-right">
        <span className="font-semibold">{formatMoney(part.price)}</span>
        <StockBadge product={part} />
      </span>
    </>
  );
}

export function VehicleOption({ label }: { label: string }) {
  return (
    <>
      <CarFront aria-hidden="true" className="size-5 shrink-0 text-accent" />
      <span className="min-w-0 flex-1 truncate font-semibold">{label}</span>
    </>
  );
}
