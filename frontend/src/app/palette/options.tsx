import { type ReactNode, useId } from 'react';
import { Option } from '@/ui/option';
import { ProductPicture } from '@/ui/product-picture';
import type { Group, Item } from './items';
import { messages } from './messages';

/** The id of an option's element, which the field names as the one that is chosen. */
export const optionId = (list: string, item: Item) => `${list}-${item.id.replace(/\s/g, '-')}`;

interface ChoiceProps {
  id: string;
  item: Item;
  active: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Choice({ id, item, active, onPoint, onChoose }: ChoiceProps) {
  const { label, detail, img, icon: Icon } = item;
  return (
    <Option id={id} active={active} onPoint={onPoint} onChoose={onChoose}>
      {img !== undefined && (
        <span className="w-11 shrink-0">
          <ProductPicture img={img} alt="" sizes="44px" className="rounded-field" />
        </span>
      )}
      {img === undefined && Icon && (
        <Icon aria-hidden="true" className="size-5 shrink-0 text-accent" />
      )}
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{label}</span>
        {detail && <span className="block truncate text-sm text-muted">{detail}</span>}
      </span>
    </Option>
  );
}

function OptionGroup({ name, children }: { name: Group['name']; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: within a listbox no fieldset may stand.
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className="px-3 pt-3 text-sm text-muted">
        {messages.groups[name]}
      </div>
      {children}
    </div>
  );
}

interface OptionsProps {
  id: string;
  groups: readonly Group[];
  active: Item | undefined;
  /** Whether it is still the answer to what was typed before. */
  busy: boolean;
  onPoint: (item: Item) => void;
  onChoose: (item: Item) => void;
}

/** What can be chosen, under the names of its kinds. */
export function Options({ id, groups, active, busy, onPoint, onChoose }: OptionsProps) {
  return (
    <div
      id={id}
      role="listbox"
      aria-label={messages.results}
      aria-busy={busy || undefined}
      className="min-h-0 flex-1 overflow-y-auto px-1 pb-3"
    >
      {groups.map(({ name, items }) => (
        <OptionGroup key={name} name={name}>
          {items.map((item) => (
            <Choice
              key={item.id}
              id={optionId(id, item)}
              item={item}
              active={item === active}
              onPoint={() => onPoint(item)}
              onChoose={() => onChoose(item)}
            />
          ))}
        </OptionGroup>
      ))}
    </div>
  );
}
