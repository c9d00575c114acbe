import type { Facets } from '@/api/parts';
import { formatCount } from '@/lib/money';
import { findingMessages as messages } from './messages';

interface PartTypesProps {
  facets: Facets;
  onChoose: (partType: string) => void;
}

/** With a vehicle and nothing else there is too much to look through: what it can be comes first, with counts. */
export function PartTypes({ facets, onChoose }: PartTypesProps) {
  const types = facets.facets.partType;
  if (types.length < 2) return null;
  return (
    <section aria-labelledby="part-types" className="card-surface grid gap-3 p-4">
      <h3 id="part-types" className="text-2xl">
        {messages.types}
      </h3>
      <ul className="flex flex-wrap gap-2">
        {types.map(({ value, name, count }) => (
          <li key={value}>
            <button
              type="button"
              className="btn btn-outline"
              aria-label={messages.choice(name, count)}
              onClick={() => onChoose(value)}
            >
              {name} <span className="text-muted">{formatCount(count)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
