import { formatCount } from '@/lib/money';
import { Field } from '@/ui/field';
import { type OrderFilter, type Stage, stages } from '../use-order-filter';

export function FilterBar({ filter, total }: { filter: OrderFilter; total: number }) {
  return (
    <search className="mb-6 grid items-end gap-4 sm:grid-cols-[minmax(0,1fr)_14rem]">
      <Field label="Search">
        {(wiring) => (
          <input
            {...wiring}
            type="search"
            className="input"
            placeholder="Name, e-mail, product or phone"
            value={filter.query}
            onChange={(event) => filter.setQuery(event.target.value)}
          />
        )}
      </Field>
      <Field label="Show">
        {(wiring) => (
          <select
            {...wiring}
            className="select"
            value={filter.stage}
            onChange={(event) => filter.setStage(event.target.value as Stage)}
          >
            {stages.map((stage) => (
              <option key={stage.value} value={stage.value}>
                {stage.label}
              </option>
            ))}
          </select>
        )}
      </Field>
      <p role="status" className="text-sm text-muted sm:col-span-2">
        {filter.found.length === total
          ? 'Newest first.'
          : `${formatCount(filter.found.length)} of ${formatCount(total)} match.`}
      </p>
    </search>
  );
}
