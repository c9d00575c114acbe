import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { placeAfter } from '@/lib/list-keys';
import { Button } from '@/ui/button';
import { Option } from '@/ui/option';
import { Spinner } from '@/ui/spinner';
import { messages } from '../messages';

export interface Choice {
  key: string;
  label: string;
}

/** As RTK Query answers for the choices. */
interface Answer {
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

interface FilterListProps<Item extends Choice> {
  label: string;
  placeholder?: string;
  choices: readonly Item[];
  answer: Answer;
  typed: string;
  onType: (typed: string) => void;
  onChoose: (choice: Item) => void;
  /** Whether it takes the keyboard when it comes. */
  focused?: boolean;
}

/** The choices that hold every word that was typed. */
export function matching<Item extends Choice>(choices: readonly Item[], typed: string): Item[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)));
}

/** A field with its choices below it (the combobox of the ARIA practices): typing narrows them, Enter takes the first. */
export function FilterList<Item extends Choice>({
  label,
  placeholder,
  choices,
  answer: { isError, isFetching, refetch },
  typed,
  onType,
  onChoose,
  focused = false,
}: FilterListProps<Item>) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const moved = choices.findIndex(({ key }) => key === activeKey);
  // Whoever typed means the first, until a key or the pointer moves on.
  const place = moved < 0 && typed.trim() !== '' ? 0 : moved;
  const active = choices[place];
  const idOf = ({ key }: Choice) => `${id}-${key}`;

  useEffect(() => {
    if (focused) input.current?.focus();
  }, [focused]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      if (active && !isFetching) onChoose(active);
      return;
    }
    const next = placeAfter(event.key, place, choices.length);
    if (next === null) return;
    event.preventDefault();
    setActiveKey(choices[next]?.key ?? null);
  };

  const state = (): ReactNode => {
    if (isFetching) return <Spinner small />;
    if (isError) {
      return (
        <span role="alert">
          {messages.failed}{' '}
          <Button variant="outline" onClick={() => void refetch()}>
            {messages.retry}
          </Button>
        </span>
      );
    }
    return choices.length === 0 && typed.trim() !== '' ? messages.noMatch : null;
  };

  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <input
        ref={input}
        id={id}
        role="combobox"
        aria-expanded={choices.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={active && idOf(active)}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        maxLength={80}
        className="input"
        placeholder={placeholder}
        value={typed}
        onChange={(event) => {
          setActiveKey(null);
          onType(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <p role="status" className="sr-only">
        {isFetching ? messages.loading : messages.count(choices.length)}
      </p>
      <div className="text-muted empty:hidden">{state()}</div>
      <div
        id={`${id}-list`}
        role="listbox"
        aria-label={messages.options}
        className="h-56 overflow-y-auto rounded-field border border-base-300 bg-surface empty:hidden"
      >
        {choices.map((choice) => (
          <Option
            key={choice.key}
            id={idOf(choice)}
            active={choice === active}
            onPoint={() => setActiveKey(choice.key)}
            onChoose={() => onChoose(choice)}
          >
            {choice.label}
          </Option>
        ))}
      </div>
    </div>
  );
}
