import { CarFront } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { Part } from '@/api/parts';
import { StockBadge } from '@/features/catalog/components/stock-badge';
import { formatMoney } from '@/lib/money';
import { ProductPicture } from '@/ui/product-picture';

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
