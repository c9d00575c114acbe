import { Search } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { addToGarage } from '@/lib/garage';
import { placeAfter } from '@/lib/list-keys';
import { paths } from '@/lib/paths';
import { Option } from '@/ui/option';
import { Spinner } from '@/ui/spinner';
import { messages } from './messages';
import { OptionGroup, PartOption, VehicleOption } from './options';
import { type Suggested, useSuggestions } from './use-suggestions';

interface Item {
  id: string;
  to: string;
  draw: ReactNode;
  /** Done on the way there. */
  onGo?: () => void;
}

interface Group {
  label: string | null;
  items: readonly Item[];
}

const searchFor = (q: string) => `${paths.shop}?${new URLSearchParams({ q })}`;

/** What can be chosen, under the names of its kinds. The last leads to all that the shop finds. */
function groupsOf({ numbers, parts, vehicles }: Suggested, search: string): Group[] {
  const part = (item: Suggested['parts'][number]): Item => ({
    id: item._id,
    to: paths.product(item._id),
    draw: <PartOption part={item} />,
  });
  const vehicle = ({ vehicle, engine, label }: Suggested['vehicles'][number]): Item => ({
    onGo: () => addToGarage({ vehicle, label, ...(engine === undefined ? {} : { engine }) }),
    id: `vehicle-${vehicle}-${engine ?? ''}`,
    to: `${paths.shop}?${new URLSearchParams({
      vehicle: String(vehicle),
      ...(engine === undefined ? {} : { engine: String(engine) }),
    })}`,
    draw: <VehicleOption label={label} />,
  });
  const all: Item = {
    id: 'all',
    to: searchFor(search),
    draw: (
      <>
        <Search aria-hidden="true" className="size-5 shrink-0 text-accent" />
        {messages.all(search)}
      </>
    ),
  };
  const groups = [
    { label: messages.groups.numbers, items: numbers.map(part) },
    { label: messages.groups.parts, items: parts.map(part) },
    { label: messages.groups.vehicles, items: vehicles.map(vehicle) },
  ].filter(({ items }) => items.length > 0);
  return groups.length > 0 ? [...groups, { label: null, items: [all] }] : [];
}

/** What is said of it to whoever cannot see the list. */
function sayFound({ busy, failed }: Suggested, count: number): string {
  if (busy) return messages.searching;
  if (failed) return messages.failed;
  return count === 0 ? messages.nothing : messages.count(count);
}

/** Hears what happens to the field, by the latest of these. What was typed before anybody listened counts as typed now. */
function useHeard(
  input: HTMLInputElement,
  heard: Record<string, (event: Event) => void>,
  typed: string,
) {
  const latest = useRef(heard);
  const before = useRef(typed);
  useEffect(() => {
    latest.current = heard;
  });
  useEffect(() => {
    const { form } = input;
    const hear = (event: Event) => latest.current[event.type]?.(event);
    const own = ['input', 'focus', 'blur', 'keydown'];
    for (const type of own) input.addEventListener(type, hear);
    form?.addEventListener('submit', hear);
    if (input.value !== before.current) hear(new Event('input'));
    return () => {
      for (const type of own) input.removeEventListener(type, hear);
      form?.removeEventListener('submit', hear);
    };
  }, [input]);
}

/** Makes the plain field a combobox (of the ARIA practices), and what it says follow what is shown. */
function useCombobox(input: HTMLInputElement, list: string, open: boolean, active: string | null) {
  useEffect(() => {
    const said = {
      role: 'combobox',
      'aria-autocomplete': 'list',
      'aria-expanded': String(open),
      'aria-controls': list,
      'aria-keyshortcuts': '/',
      enterkeyhint: 'search',
    };
    for (const [name, value] of Object.entries(said)) input.setAttribute(name, value);
    if (active === null) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', active);
  }, [input, list, open, active]);
}

/** What the shop suggests below the field of the top bar, for as long as that has the keyboard. */
export default function Suggestions({ input }: { input: HTMLInputElement }) {
  const list = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState(input.value);
  const [shown, setShown] = useState(document.activeElement === input);
  const [activeId, setActiveId] = useState<string | null>(null);
  const search = typed.trim();
  const found = useSuggestions(shown ? typed : '');
  const groups = search === '' ? [] : groupsOf(found, search);
  const items = groups.flatMap((group) => group.items);
  const open = shown && search !== '';
  const place = open ? items.findIndex(({ id }) => id === activeId) : -1;
  const idOf = (item: Item) => `${list}-${item.id}`;
  const active = items[place];
  useCombobox(input, list, open && items.length > 0, active ? idOf(active) : null);

  const write = (text: string) => {
    input.value = text;
    setTyped(text);
    setActiveId(null);
  };
  const go = (to: string) => {
    write('');
    input.blur();
    navigate(to);
  };

  const choose = ({ to, onGo }: Item) => {
    onGo?.();
    go(to);
  };

  const onKey = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === 'Escape') {
      // First the list goes, then what was typed, then the field itself on a phone.
      if (open) setShown(false);
      else if (search !== '') write('');
      else input.blur();
    } else if (event.key === 'Enter' && active) {
      event.preventDefault();
      choose(active);
    } else if (!open && /^Arrow(Down|Up)$/.test(event.key)) {
      setShown(true);
    } else {
      const next = placeAfter(event.key, place, items.length);
      if (next === null) return;
      event.preventDefault();
      setActiveId(items[next]?.id ?? null);
    }
  };

  const heard = {
    input: () => {
      setTyped(input.value);
      setActiveId(null);
      setShown(true);
    },
    focus: () => setShown(true),
    blur: () => setShown(false),
    keydown: (event: Event) => onKey(event as KeyboardEvent),
    submit: (event: Event) => {
      event.preventDefault();
      // More may stand there than was drawn.
      const asked = input.value.trim();
      go(asked === '' ? paths.shop : searchFor(asked));
    },
  };
  useHeard(input, heard, typed);

  const count = items.filter(({ id }) => id !== 'all').length;
  return (
    <>
      <p role="status" className="sr-only">
        {open ? sayFound(found, count) : ''}
      </p>
      <div
        className="find-list overflow-y-auto rounded-box border border-base-300 bg-base-100 shadow-raised"
        hidden={!open}
      >
        {open && items.length === 0 && (
          <p aria-hidden="true" className="flex items-center gap-3 p-4 text-muted">
            {found.busy && <Spinner small />}
            {sayFound(found, count)}
          </p>
        )}
        <div
          id={list}
          role="listbox"
          aria-label={messages.label}
          aria-busy={found.busy || undefined}
          className={items.length > 0 ? 'px-1 pb-3' : ''}
        >
          {open &&
            groups.map(({ label, items: own }) => {
              const options = own.map((item) => (
                <Option
                  key={item.id}
                  id={idOf(item)}
                  active={item === active}
                  onPoint={() => setActiveId(item.id)}
                  onChoose={() => choose(item)}
                >
                  {item.draw}
                </Option>
              ));
              return label === null ? (
                options
              ) : (
                <OptionGroup key={label} label={label}>
                  {options}
                </OptionGroup>
              );
            })}
        </div>
      </div>
    </>
  );
}
