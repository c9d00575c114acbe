import { X } from 'lucide-react';
import type { ShopFilter } from '../api';
import type { Chosen } from './choices';
import { findingMessages as messages } from './messages';

interface ActiveFiltersProps {
  chosen: readonly Chosen[];
  onChange: (filter: ShopFilter) => void;
  onClear: () => void;
}

/** What narrows the parts, each to be taken away by itself, and all at once. */
export function ActiveFilters({ chosen, onChange, onClear }: ActiveFiltersProps) {
  if (chosen.length === 0) return null;
  return (
    <ul aria-label={messages.chosen} className="flex flex-wrap items-center gap-2">
      {chosen.map(({ key, label, without }) => (
        <li key={key}>
          <button
            type="button"
            aria-label={messages.remove(label)}
            className="flex min-h-11 cursor-pointer items-center gap-2 rounded-selector border border-edge bg-surface px-3 hover:border-base-content"
            onClick={() => onChange(without)}
          >
            {label}
            <X aria-hidden="true" className="size-4" />
          </button>
        </li>
      ))}
      <li>
        <button
          type="button"
          className="link-accent min-h-11 cursor-pointer px-2"
          onClick={onClear}
        >
          {messages.clearAll}
        </button>
      </li>
    </ul>
  );
}
