import { useState } from 'react';
import { formatCount } from '@/lib/money';
import { findingMessages as messages } from './messages';

/** How many values of a facet are shown before the rest is asked for. */
const FIRST = 8;

export interface Choice {
  value: string;
  label: string;
  count: number;
}

interface FacetListProps {
  name: string;
  choices: readonly Choice[];
  chosen: readonly string[];
  /** How many parts there are now. */
  total: number;
  onToggle: (value: string) => void;
}

/** The values of a facet, each with how many parts it would leave; any number of them may be chosen. */
export function FacetList({ name, choices, chosen, total, onToggle }: FacetListProps) {
  const [whole, setWhole] = useState(false);
  const isChosen = ({ value }: Choice) => chosen.includes(value);
  // What is chosen is never out of sight.
  const shown = whole
    ? choices
    : choices.filter((choice, place) => place < FIRST || isChosen(choice));
  // A value that all parts have narrows nothing.
  const narrows = choices.length > 1 || choices.some(({ count }) => count < total);
  if (!narrows && !choices.some(isChosen)) return null;
  return (
    <fieldset className="min-w-0 border-t border-base-300 pt-3">
      <legend className="sr-only">{name}</legend>
      <p aria-hidden="true" className="mb-1 font-semibold">
        {name}
      </p>
      <ul>
        {shown.map((choice) => (
          <li key={choice.value}>
            <label className="flex min-h-11 cursor-pointer items-center gap-3">
              <input
                type="checkbox"
                aria-label={messages.choice(choice.label, choice.count)}
                className="checkbox border-edge checked:border-primary checked:bg-primary checked:text-primary-content"
                checked={isChosen(choice)}
                onChange={() => onToggle(choice.value)}
              />
              <span className="min-w-0 flex-1 break-words">{choice.label}</span>
              <span className="text-sm text-muted">{formatCount(choice.count)}</span>
            </label>
          </li>
        ))}
      </ul>
      {shown.length < choices.length && (
        <button
          type="button"
          className="link-accent min-h-11 cursor-pointer"
          onClick={() => setWhole(true)}
        >
          {messages.showAll(choices.length)} <span className="sr-only">{name}</span>
        </button>
      )}
    </fieldset>
  );
}
